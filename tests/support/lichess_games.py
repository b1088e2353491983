# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of the fake of Lichess: its rules, clocks and offers, and what its streams say of them."""

from random import Random

import chess

WHITE, BLACK = "white", "black"
STATUS_IDS = {
    "created": 10, "started": 20, "aborted": 25, "mate": 30, "resign": 31, "stalemate": 32, "timeout": 33, "draw": 34,
    "outoftime": 35, "cheat": 36, "noStart": 37, "unknownFinish": 38, "insufficientMaterialClaim": 39, "variantEnd": 60,
}  # fmt: skip
DAY_S = 86_400
UNLIMITED_MS = 2**31 - 1  # the server counts in 32 bits, and says this where no clock runs
_SPEEDS = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"), (21_600, "classical"))
_VARIANTS = {
    "standard": ("Standard", "Std"),
    "chess960": ("Chess960", "960"),
    "fromPosition": ("From Position", "FEN"),
}


class RefusedError(Exception):
    """Why the server does not do it, in its own words."""


class User:
    """Somebody with an account; a level of the server's engine is one without."""

    def __init__(self, name, rating=1500, ai=0):
        self.name, self.rating, self.ai = name, rating, ai
        self.id = "" if ai else name.lower()


def other(colour):
    return BLACK if colour == WHITE else WHITE


def speed(limit_s, increment_s):
    estimate = limit_s + 40 * increment_s
    return next((name for below, name in _SPEEDS if estimate < below), "classical")


def variant(key):
    name, short = _VARIANTS.get(key, (key, key))
    return {"key": key, "name": name, "short": short}


class Game:
    """One game; `clock`: seconds and increment, or None; `say` takes what its streams send."""

    def __init__(self, id_, white, black, *, now, say, clock=None, days=0, rated=False, kind="standard", fen="",
                 source="lobby", first_move_s=30, castling="rook"):  # fmt: skip
        self.id, self.players = id_, {WHITE: white, BLACK: black}
        self.full_ids = {WHITE: f"{id_}wwww", BLACK: f"{id_}bbbb"}
        self.clock, self.days, self.rated, self.kind, self.source = clock, days, rated, kind, source
        self.start_fen = fen
        self.board = chess.Board(fen or chess.STARTING_FEN, chess960=kind != "standard")
        self.castling = castling  # how it is told: "rook" (king takes rook), or "king" (e1g1)
        self.status, self.winner = "started", ""
        self.draw, self.takeback = "", ""  # whose offer stands
        self.chat, self.rating_diff = [], {}
        self.made = []  # (colour, UCI) of each move, also of those that were taken back
        self.first_move_s = first_move_s if clock else None
        self.gone = {}  # colour -> when its opponent may claim the game
        self._now, self._say = now, say
        self.created = self.moved = now()
        self.left = dict.fromkeys((WHITE, BLACK), clock[0] if clock else days * DAY_S)

    # What it is

    @property
    def speed(self):
        return speed(*self.clock) if self.clock else "correspondence"

    @property
    def over(self):
        return self.status != "started"

    @property
    def turn(self):
        return WHITE if self.board.turn else BLACK

    @property
    def plies(self):
        return len(self.board.move_stack)

    @property
    def timed(self):
        """The clock runs from the second move of White on; the days run at once."""
        return not self.over and (bool(self.days) or (self.clock is not None and self.plies >= 2))

    def colour_of(self, user):
        return next((colour for colour, one in self.players.items() if one is user), None)

    @property
    def moves(self):
        """The moves as it tells them, in UCI."""
        board, told = chess.Board(self.start_fen or chess.STARTING_FEN, chess960=True), []
        for move in self.board.move_stack:
            chess960 = self.castling == "rook" or self.kind != "standard"
            told.append(board.uci(move, chess960=chess960))
            board.push_uci(told[-1])
        return told

    def remaining(self, colour):
        """Seconds that a side has left."""
        left = self.left[colour]
        return left - (self._now() - self.moved) if self.timed and colour == self.turn else left

    def milliseconds(self, colour):
        if not self.clock and not self.days:
            return UNLIMITED_MS
        return max(0, round(self.remaining(colour) * 1000))

    def state(self):
        increment = self.clock[1] * 1000 if self.clock else 0
        told = {
            "type": "gameState",
            "moves": " ".join(self.moves),
            "wtime": self.milliseconds(WHITE),
            "btime": self.milliseconds(BLACK),
            "winc": increment,
            "binc": increment,
            "status": self.status,
        }
        if self.winner:
            told["winner"] = self.winner
        for name, whose in (("draw", self.draw), ("takeback", self.takeback)):
            if whose:
                told[whose[0] + name] = True
        if not self.over and self.plies < 2 and self.first_move_s:
            idle = round((self._now() - self.moved) * 1000)
            told["expiration"] = {"idleMillis": idle, "millisToMove": self.first_move_s * 1000}
        return told

    def full(self):
        return {
            "type": "gameFull",
            "id": self.id,
            "variant": variant(self.kind),
            "speed": self.speed,
            "perf": {"name": self.speed.capitalize()},
            "rated": self.rated,
            "createdAt": round(self.created * 1000),
            "white": self._player(WHITE),
            "black": self._player(BLACK),
            "initialFen": self.start_fen or "startpos",
            **({"clock": {"initial": self.clock[0] * 1000, "increment": self.clock[1] * 1000}} if self.clock else {}),
            **({"daysPerTurn": self.days} if self.days else {}),
            "state": self.state(),
        }  # fmt: skip

    def _player(self, colour):
        user = self.players[colour]
        if user.ai:
            return {"aiLevel": user.ai, "id": "", "name": f"AI level {user.ai}"}
        return {"id": user.id, "name": user.name, "title": None, "rating": user.rating}

    def info(self, colour):
        """What the stream of events and the list of games say of it to a side."""
        foe = self.players[other(colour)]
        opponent = {"id": foe.id, "username": foe.name, "rating": foe.rating}
        if foe.ai:
            opponent = {"id": None, "username": f"Stockfish level {foe.ai}", "ai": foe.ai}
        told = {
            "fullId": self.full_ids[colour],
            "gameId": self.id,
            "fen": self.board.fen(),
            "color": colour,
            "lastMove": (self.moves or [""])[-1],
            "source": self.source,
            "status": {"id": STATUS_IDS[self.status], "name": self.status},
            "variant": {name: value for name, value in variant(self.kind).items() if name != "short"},
            "speed": self.speed,
            "perf": self.speed,
            "rated": self.rated,
            "hasMoved": self.plies > (colour == BLACK),
            "opponent": opponent,
            "isMyTurn": not self.over and self.turn == colour,
            "rating": self.players[colour].rating,
            "compat": {"bot": False, "board": not self.clock or self.clock[0] + 40 * self.clock[1] >= 180},
            "id": self.id,
        }
        if self.clock or self.days:
            told["secondsLeft"] = self.milliseconds(colour) // 1000
        if self.winner:
            told["winner"] = self.winner
        if self.rating_diff:
            told["ratingDiff"] = self.rating_diff[colour]
            opponent["ratingDiff"] = self.rating_diff[other(colour)]
        return told

    # What can happen

    def move(self, colour, uci, *, offering_draw=False):
        if self.over or self.turn != colour:
            raise RefusedError("Not your turn, or game already over")
        try:
            move = self.board.parse_uci(uci)
        except ValueError:
            raise RefusedError(f"Piece on {uci[:2]} cannot move to {uci[2:4]}") from None
        if self.timed:
            self.left[colour] = self.remaining(colour) + (self.clock[1] if self.clock else 0)
            if self.days:
                self.left[colour] = self.days * DAY_S
        self.board.push(move)
        self.made.append((colour, move.uci()))
        self.moved = self._now()
        self.takeback = ""
        if self.draw == other(colour):
            if offering_draw:
                self._end("draw")
                return
            self.draw = ""
        if offering_draw:
            self.draw = colour
        self._end_by_the_rules()
        if not self.over:
            self._say(self.state())

    def _end_by_the_rules(self):
        board = self.board
        if board.is_checkmate():
            self._end("mate", other(self.turn))
        elif board.is_stalemate():
            self._end("stalemate")
        elif board.is_insufficient_material() or board.is_fivefold_repetition() or board.is_fifty_moves():
            self._end("draw")

    def offer_draw(self, colour, *, yes):
        if self.over:
            return
        if not yes:
            if self.draw == other(colour):
                self.draw = ""
                self._system("Draw offer declined")
                self._say(self.state())
        elif self.draw == other(colour) or self.board.is_repetition(3):
            self._end("draw")
        elif not self.draw and self.plies >= 2:
            self.draw = colour
            self._system(f"{colour.capitalize()} offers draw")
            self._say(self.state())

    def propose_takeback(self, colour, *, yes):
        if self.over:
            return
        if not yes:
            if self.takeback:
                self.takeback = ""
                self._system("Takeback declined")
                self._say(self.state())
        elif self.takeback == other(colour) or self.players[other(colour)].ai:
            self._take_back(other(colour) if self.takeback else colour)
        elif self.plies > (colour == BLACK) and not self.takeback:
            self.takeback = colour
            self._system("Takeback sent")
            self._say(self.state())

    def _take_back(self, colour):
        """Back to where the side that proposed it is to move."""
        for _ in range(min(self.plies, 1 if self.turn != colour else 2)):
            self.board.pop()
        self.moved = self._now()
        self.takeback = self.draw = ""
        self._system("Takeback accepted")
        self._say(self.state())

    def resign(self, colour):
        if self.over:
            raise RefusedError("This game cannot be resigned")
        self._end("resign", other(colour))

    def abort(self, colour):  # noqa: ARG002  # either side may
        if self.over or self.plies >= 2:
            raise RefusedError("This game can no longer be aborted")
        self._end("aborted")

    def claim(self, colour, *, victory):
        """The opponent has left: a win, or a draw."""
        if self.over or self.gone.get(other(colour), self._now() + 1) > self._now():
            raise RefusedError("You cannot claim the win on this game")
        self._end("timeout" if victory else "draw", colour if victory else "")

    def say_in_chat(self, user, text, room="player"):
        self.chat.append({"text": text, "user": user.name})
        self._say({"type": "chatLine", "room": room, "username": user.name, "text": text})

    def _system(self, text):
        self.say_in_chat(User("lichess"), text)

    def leave(self, colour, claim_s):
        """A side is gone: its opponent is told, and may claim the game after so many seconds."""
        self.gone[colour] = self._now() + claim_s
        self._say({"type": "opponentGone", "gone": True, "claimWinInSeconds": claim_s}, other(colour))

    def come_back(self, colour, *, told):
        if self.gone.pop(colour, None) is not None and told:
            self._say({"type": "opponentGone", "gone": False}, other(colour))

    def check_time(self):
        """End the game if a time has run out."""
        if self.over:
            return
        if self.timed and self.remaining(self.turn) <= 0:
            self.left[self.turn] = 0
            has_enough = not self.board.has_insufficient_material(not self.board.turn)
            self._end("outoftime", other(self.turn) if has_enough else "")
        elif self.first_move_s and self.plies < 2 and self._now() - self.moved > self.first_move_s:
            self._end("aborted")

    def _end(self, status, winner=""):
        for colour in (WHITE, BLACK):
            self.left[colour] = max(0, self.remaining(colour))
        self.status, self.winner, self.draw, self.takeback = status, winner, "", ""
        if self.rated and status != "aborted":
            won = {WHITE: 6, BLACK: -6, "": 0}[winner]
            self.rating_diff = {WHITE: won, BLACK: -won}
        self._say(self.state())

    def any_move(self, chance=None):
        """A move for who plays without a plan."""
        return (chance or Random(1)).choice(sorted(move.uci() for move in self.board.legal_moves))  # noqa: S311
