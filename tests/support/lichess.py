# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of Lichess on this machine: its Board API with accounts, streams, seeks, challenges, games and OAuth.

It keeps the habits of the real one: a stream of events begins with all that is open, and closes the older one
of the same token; a seek lasts as long as its answer is read; an answer may come in pieces, or not at all.
"""

import asyncio
import base64
import contextlib
import hashlib
import itertools
import json
import re
import socket
import threading
import time
from random import Random
from urllib.parse import parse_qsl, urlencode

import chess
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from support.lichess_games import BLACK, STATUS_IDS, WHITE, Game, RefusedError, User, other, speed, variant

SCOPES = "board:play challenge:read challenge:write"
_LIMITS_S = (0, 15, 30, 45, 60, 90, *range(60, 10_801, 60))  # of a challenge
_DAYS = (1, 2, 3, 5, 7, 10, 14)
_REASONS = {
    "generic": "I'm not accepting challenges at the moment.",
    "later": "This is not the right time for me, please ask again later.",
    "tooFast": "This time control is too fast for me, please challenge again with a slower game.",
    "tooSlow": "This time control is too slow for me, please challenge again with a faster game.",
    "timeControl": "I'm not accepting challenges with this time control.",
    "rated": "Please send me a rated challenge instead.",
    "casual": "Please send me a casual challenge instead.",
    "standard": "I'm not accepting variant challenges right now.",
    "variant": "I'm not willing to play this variant right now.",
    "noBot": "I'm not accepting challenges from bots.",
    "onlyBot": "I'm only accepting challenges from bots.",
}
_OPENINGS, _OPENINGS_S = 30, 600  # so many streams of events a token may open in so many seconds


class Answer(Exception):  # noqa: N818  # not every early answer is an error
    """Ends a request with this status and body."""

    def __init__(self, status, error):
        super().__init__(error)
        self.status, self.body = status, {"error": error}


class FakeLichess:
    """Serves at `url` while it is entered; everything of it happens in its own thread.

    `heartbeat_s`: between empty lines; `challenge_s`: how long a challenge stands that nobody keeps alive;
    `first_move_s`: until a game without a first move is aborted; `gone_s`, `claim_s`: how soon the opponent is
    told that one is gone, and may claim the game; `tells_return`: whether he is told of the return, which the
    real one forgets; `chop`: every line is sent in two pieces; `limits`: whether too many requests are refused.
    """

    def __init__(self, *, heartbeat_s=6.0, challenge_s=20.0, first_move_s=30, gone_s=0.2, claim_s=8,
                 tells_return=False, chop=False, limits=True, castling="rook", seed=1):  # fmt: skip
        self.heartbeat_s, self.challenge_s, self.first_move_s = heartbeat_s, challenge_s, first_move_s
        self.gone_s, self.claim_s, self.tells_return = gone_s, claim_s, tells_return
        self.chop, self.limits, self.castling = chop, limits, castling
        self.users, self.tokens, self.games, self.challenges = {}, {}, {}, {}
        self.seeks, self.codes, self.requests = [], {}, []
        self.sees = None  # is told of each object that is sent: where, and what
        self.ai_moves = []  # what the engine plays next, else it takes any move
        self.denies_login = False
        self._scopes, self._openings = {}, {}
        self._events, self._game_streams, self._watchers = {}, {}, {}  # token, (game, user), game -> streams
        self._trouble, self.speaks = [], asyncio.Event()
        self.speaks.set()
        self._shift = 0.0  # seconds that time was put forward
        self._chance = Random(seed)  # noqa: S311
        self._ids = (
            f"{self._chance.randrange(36**7):07d}"[:7].rjust(7, "q") + "x" for _ in itertools.count()
        )
        self._changed = threading.Condition()
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            self._app(), log_config=None, log_level="critical", access_log=False, lifespan="off", ws="none",
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="lichess")

    def __enter__(self):
        self._thread.start()
        self.until(lambda: self._server.started)
        return self

    def __exit__(self, *_):
        self.do(self._stop)
        self._thread.join()
        self._socket.close()

    def _run(self):
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self):
        ticks = asyncio.create_task(self._tick())
        await self._server.serve(sockets=[self._socket])
        ticks.cancel()

    def _stop(self):
        self._server.should_exit = self._server.force_exit = True
        for stream in self._all_streams():
            stream.end()

    async def _tick(self):
        while True:
            await asyncio.sleep(0.05)
            self._check_times()
            self._tell()

    # For the tests

    def do(self, call, *values, **more):
        """Do something in the thread of the server, and give what it gives."""

        async def done():
            result = call(*values, **more)
            self._tell()
            return result

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(10)

    def until(self, happened, timeout=20.0):
        """Wait until something is so."""
        with self._changed:
            assert self._changed.wait_for(happened, timeout), "it has not happened"

    def _tell(self):
        with self._changed:
            self._changed.notify_all()

    def user(self, name, rating=1500):
        """The account of that name."""
        return self.users.setdefault(name.lower(), User(name, rating))

    def token(self, name, scopes=SCOPES, rating=1500):
        """A token of somebody, who gets an account if need be."""
        token = f"lip_{name.lower()}{len(self.tokens)}"
        self.tokens[token], self._scopes[token] = self.user(name, rating), set(scopes.split())
        return token

    def start(
        self, white, black, *, clock=(900, 10), days=0, rated=False, kind="standard", fen="", source="friend"
    ):
        """Begin a game between two accounts; its id."""
        clock = None if days else clock
        return self.do(
            lambda: self._begin(
                self.user(white), self.user(black), clock=clock, days=days, rated=rated, kind=kind, fen=fen, source=source
            )
        ).id  # fmt: skip

    def act(self, name, what, game_id, *values, **more):
        """Let somebody do something in a game, as the methods of `Game` have it: act("Bob", "move", id, "e7e5")."""
        game, user = self.games[game_id], self.user(name)
        who = user if what == "say_in_chat" else game.colour_of(user)
        return self.do(lambda: getattr(game, what)(who, *values, **more))

    def moves(self, game_id):
        """The moves of a game, in UCI as python-chess writes it."""
        return [move.uci() for move in self.games[game_id].board.move_stack]

    def advance(self, seconds):
        """Put the time of the server forward."""

        def forward():
            self._shift += seconds
            self._check_times()

        self.do(forward)

    def spoil(self, method, path, how, times=1):
        """Spoil the next requests whose path matches: a status, "lost" (done, not answered), "dropped" (not done).

        `how` may be an answer of one's own, too: a function of the request.
        """
        self._trouble.append([method, re.compile(path), how, times])

    def hold(self, method, path):
        """Let the next request whose path matches wait for its answer; gives what lets it go on."""
        held = asyncio.Event()
        self.spoil(method, path, held)
        return lambda: self.do(held.set)

    def hold_answer(self, method, path):
        """Do the next request whose path matches at once, but let it wait for its answer."""
        held = asyncio.Event()
        self.spoil(method, path, ("answer", held))
        return lambda: self.do(held.set)

    def cut(self, mid_line=True):
        """Break every stream off, in the middle of a line."""
        self.do(lambda: [stream.cut(mid_line) for stream in self._all_streams()])

    def fall_silent(self, silent=True):
        """Send nothing any more on the streams that are open, not even what keeps them alive."""
        self.do(self.speaks.clear if silent else self.speaks.set)

    def asked(self, method, path):
        """How often something was asked for."""
        return sum(1 for one in self.requests if one[0] == method and re.fullmatch(path, one[1]))

    def send_event(self, name, told):
        """Send anything to the streams of events of somebody."""
        self.do(self._send_event, self.user(name), told)

    def send_in_game(self, game_id, told):
        """Send anything to the streams of a game."""
        streams = [one for (id_, _), found in self._game_streams.items() if id_ == game_id for one in found]
        self.do(lambda: [stream.send(told) for stream in streams])

    def listening(self, name, game_id=None):
        """Whether somebody has a stream of events open, or that of a game."""
        user = self.user(name)
        if game_id:
            return bool(self._game_streams.get((game_id, user.id)))
        return any(self.tokens.get(token) is user for token in self._events)

    # Time

    def _now(self):
        return time.time() + self._shift

    def _check_times(self):
        for game in list(self.games.values()):
            game.check_time()
        for challenge in list(self.challenges.values()):
            if challenge["status"] == "created" and challenge["_until"] < self._now():
                self._end_challenge(challenge, "canceled")

    # Games

    def _begin(self, white, black, *, id_="", **more):
        id_ = id_ or next(self._ids)
        game = Game(
            id_, white, black, now=self._now, say=lambda told, to=None: self._say(id_, told, to),
            first_move_s=self.first_move_s, castling=self.castling, **more,
        )  # fmt: skip
        self.games[id_] = game
        for colour, user in game.players.items():
            self._send_event(user, {"type": "gameStart", "game": game.info(colour)})
        self._loop.call_soon(self._let_ai_move, game)
        return game

    def _say(self, id_, told, to=None):
        game = self.games[id_]
        for (stream_id, user_id), streams in list(self._game_streams.items()):
            if stream_id == id_ and (to is None or game.players[to].id == user_id):
                for stream in list(streams):
                    stream.send(told)
                    if game.over:
                        stream.end()
        if told.get("type") == "gameState":
            for watcher in list(self._watchers.get(id_, ())):
                self._show(game, watcher)
        if game.over and told.get("type") == "gameState":
            for colour, user in game.players.items():
                self._send_event(user, {"type": "gameFinish", "game": game.info(colour)})
        self._loop.call_soon(self._let_ai_move, game)
        self._tell()

    def _let_ai_move(self, game):
        if not game.over and game.players[game.turn].ai:
            game.move(game.turn, self.ai_moves.pop(0) if self.ai_moves else game.any_move(self._chance))

    # Streams

    def _all_streams(self):
        found = [*self._events.values(), *(seek["stream"] for seek in self.seeks if seek.get("stream"))]
        return found + [one for streams in self._game_streams.values() for one in streams]

    def _send_event(self, user, told):
        for token, stream in self._events.items():
            if self.tokens.get(token) is user:
                stream.send(told)

    # Requests

    def _app(self):
        routes = [
            ("GET", "/api/account", self._account),
            ("GET", "/api/account/playing", self._playing),
            ("GET", "/api/stream/event", self._stream_events),
            ("POST", "/api/board/seek", self._seek),
            ("GET", "/api/board/game/stream/{game}", self._stream_game),
            ("POST", "/api/board/game/{game}/move/{uci}", self._move),
            ("POST", "/api/board/game/{game}/abort", self._abort),
            ("POST", "/api/board/game/{game}/resign", self._resign),
            ("POST", "/api/board/game/{game}/draw/{yes}", self._draw),
            ("POST", "/api/board/game/{game}/takeback/{yes}", self._takeback),
            ("POST", "/api/board/game/{game}/claim-victory", self._claim_victory),
            ("POST", "/api/board/game/{game}/claim-draw", self._claim_draw),
            ("POST", "/api/board/game/{game}/chat", self._post_chat),
            ("GET", "/api/board/game/{game}/chat", self._get_chat),
            ("GET", "/api/challenge", self._list_challenges),
            ("POST", "/api/challenge/ai", self._challenge_ai),
            ("POST", "/api/challenge/open", self._challenge_open),
            ("POST", "/api/challenge/{id}/accept", self._accept),
            ("POST", "/api/challenge/{id}/decline", self._decline),
            ("POST", "/api/challenge/{id}/cancel", self._cancel),
            ("POST", "/api/challenge/{name}", self._challenge),
            ("GET", "/api/stream/game/{game}", self._watch),
            ("GET", "/api/user/{name}/current-game", self._current_game),
            ("POST", "/api/token/test", self._test_tokens),
            ("GET", "/oauth", self._oauth),
            ("POST", "/api/token", self._give_token),
            ("DELETE", "/api/token", self._revoke),
        ]
        return Starlette(
            routes=[Route(path, self._answers(do), methods=[method]) for method, path, do in routes]
        )

    def _answers(self, do):
        async def answer(request):
            request.state.body = (await request.body()).decode()
            form = dict(parse_qsl(request.state.body))
            how = self._how_spoilt(request)
            self.requests.append((request.method, request.url.path, form))
            self._tell()
            if isinstance(how, int):
                return JSONResponse({"error": "Too many requests" if how == 429 else "Server error"}, how)
            if isinstance(how, asyncio.Event):
                await how.wait()
            elif callable(how):
                return how(request)
            if how == "dropped":
                return _Broken()
            try:
                done = do(request, form)
            except Answer as early:
                done = JSONResponse(early.body, early.status)
            except RefusedError as refused:
                done = JSONResponse({"error": str(refused)}, 400)
            self._tell()
            if how == "lost":
                return _Broken()
            if isinstance(how, tuple):
                await how[1].wait()
            if self.sees and isinstance(done, JSONResponse):
                self.sees(
                    f"{request.method} {self._route(request)} {done.status_code}", json.loads(done.body)
                )
            return done if isinstance(done, Response | _Stream) else JSONResponse({"ok": True})

        return answer

    @staticmethod
    def _route(request):
        return request.scope["route"].path

    def _how_spoilt(self, request):
        for one in self._trouble:
            method, path, how, times = one
            if times and method == request.method and path.fullmatch(request.url.path):
                one[3] -= 1
                return how
        return None

    def _who(self, request, *scopes):
        """The token of a request and its user, if the token has one of the scopes."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self.tokens:
            raise Answer(401, "No such token")
        if scopes and not self._scopes[token] & set(scopes):
            raise Answer(403, f"Missing scope: {scopes[0]}")
        return token, self.tokens[token]

    def _account(self, request, _form):
        _, user = self._who(request)
        perfs = {
            name: {"games": 3, "rating": user.rating, "rd": 91, "prog": 0}
            for name in ("blitz", "rapid", "classical", "correspondence")
        }
        return JSONResponse(
            {"id": user.id, "username": user.name, "perfs": perfs, "url": f"{self.url}/@/{user.name}"}
        )

    def _playing(self, request, _form):
        _, user = self._who(request)
        found = [(game, game.colour_of(user)) for game in self.games.values() if not game.over]
        infos = [game.info(colour) for game, colour in found if colour]
        for info in infos:
            del info["compat"], info["id"]
            info.setdefault("secondsLeft", 0)
        infos.sort(key=lambda info: (not info["isMyTurn"], info["secondsLeft"]))
        count = int(request.query_params.get("nb", 9))
        mine = sum(info["isMyTurn"] for info in infos)
        return JSONResponse({"nowPlaying": infos[:count], "nbMyTurn": mine})

    # The stream of events

    def _stream_events(self, request, _form):
        token, user = self._who(request, "board:play", "challenge:read")
        opened = [at for at in self._openings.get(token, []) if at > self._now() - _OPENINGS_S]
        if self.limits and len(opened) >= _OPENINGS:
            raise Answer(429, "Please don't poll this endpoint, it is intended to be streamed")
        self._openings[token] = [*opened, self._now()]
        if token in self._events:
            self._events[token].end()

        def gone():
            if self._events.get(token) is stream:
                del self._events[token]

        stream = self._events[token] = _Stream(self, gone, "event")
        for game in self.games.values():
            colour = game.colour_of(user)
            if colour and not game.over:
                stream.send({"type": "gameStart", "game": game.info(colour)})
        for challenge in self.challenges.values():
            if challenge["status"] == "created" and user in challenge["_users"]:
                stream.send(self._challenge_event("challenge", challenge))
        return stream

    # Seeks

    def _seek(self, request, form):
        _, user = self._who(request, "board:play")
        rated, kind = form.get("rated") == "true", form.get("variant", "standard")
        seek = {
            "user": user,
            "rated": rated,
            "variant": kind,
            "color": form.get("color", ""),
            "clock": None,
            "days": 0,
        }
        if "days" in form:
            if int(form["days"]) not in _DAYS:
                raise Answer(400, {"days": ["Invalid value"]})
            seek["days"], seek["id"] = int(form["days"]), next(self._ids)
        else:
            seek["clock"] = self._seek_clock(form)
        low, high = 0, 4000
        if form.get("ratingRange"):
            low, high = map(int, form["ratingRange"].split("-"))
        seek["range"] = low, high
        if not seek["days"] and any(one["user"] is user and one["clock"] for one in self.seeks):
            raise Answer(429, "Please only run 1 request(s) at a time")

        def gone():
            if seek in self.seeks:
                self.seeks.remove(seek)

        if seek["clock"]:
            seek["stream"] = _Stream(self, gone, "seek")
        self.seeks.append(seek)
        self._loop.call_soon(self._pair, seek)
        return seek.get("stream") or JSONResponse({"id": seek["id"]})

    @staticmethod
    def _seek_clock(form):
        wrong = {}
        try:
            minutes, increment = float(form["time"]), int(form["increment"])
        except (KeyError, ValueError):
            raise Answer(400, {"time": ["This field is required"]}) from None
        if not (minutes in (0.25, 0.5, 0.75, 1.5) or (minutes == int(minutes) and 0 <= minutes <= 180)):
            wrong["time"] = ["Invalid value"]
        if not 0 <= increment <= 180:
            wrong["increment"] = ["Must be less or equal to 180"]
        if wrong:
            raise Answer(400, wrong)
        if minutes * 60 + 40 * increment < 480:
            raise Answer(400, "Invalid time control")
        return int(minutes * 60), increment

    def _pair(self, seek):
        """Begin a game with the first that wants the same."""
        found = next((one for one in self.seeks if seek in self.seeks and self._fit(one, seek)), None)
        if found is None:
            return
        white, black = found["user"], seek["user"]
        if found["color"] == BLACK or seek["color"] == WHITE:
            white, black = black, white
        for one in (found, seek):
            self.seeks.remove(one)
        more = {name: seek[name] for name in ("clock", "days", "rated")}
        self._begin(white, black, kind=seek["variant"], **more)
        for one in (found, seek):
            if one.get("stream"):
                one["stream"].end()

    @staticmethod
    def _fit(one, two):
        same = all(one[name] == two[name] for name in ("clock", "days", "rated", "variant"))
        wanted = all(a["range"][0] <= b["user"].rating <= a["range"][1] for a, b in ((one, two), (two, one)))
        colours = {one["color"], two["color"]} - {"", "random"}
        return (
            one["user"] is not two["user"]
            and same
            and wanted
            and (one["color"] != two["color"] or not colours)
        )

    # Games

    def _game(self, request):
        """The game of a request, and the side of who asks."""
        _, user = self._who(request, "board:play")
        game = self.games.get(request.path_params["game"])
        if game is None or game.colour_of(user) is None:
            raise Answer(404, "No such game")
        return game, game.colour_of(user)

    def _stream_game(self, request, _form):
        game, colour = self._game(request)
        key = game.id, game.players[colour].id

        def gone():
            self._game_streams[key].remove(stream)
            if not self._game_streams[key]:
                self._loop.call_later(self.gone_s, self._notice_gone, game, colour)

        stream = _Stream(self, gone, "game")
        self._game_streams.setdefault(key, []).append(stream)
        game.come_back(colour, told=self.tells_return)
        stream.send(game.full())
        if game.over:
            stream.end()
        return stream

    def _notice_gone(self, game, colour):
        if not game.over and not self._game_streams.get((game.id, game.players[colour].id)):
            game.leave(colour, self.claim_s)

    def _move(self, request, _form):
        game, colour = self._game(request)
        game.move(
            colour,
            request.path_params["uci"],
            offering_draw=request.query_params.get("offeringDraw") == "true",
        )

    def _abort(self, request, _form):
        game, colour = self._game(request)
        game.abort(colour)

    def _resign(self, request, _form):
        game, colour = self._game(request)
        game.resign(colour)

    def _draw(self, request, _form):
        game, colour = self._game(request)
        game.offer_draw(colour, yes=request.path_params["yes"] in ("yes", "true"))

    def _takeback(self, request, _form):
        game, colour = self._game(request)
        game.propose_takeback(colour, yes=request.path_params["yes"] in ("yes", "true"))

    def _claim_victory(self, request, _form):
        game, colour = self._game(request)
        game.claim(colour, victory=True)

    def _claim_draw(self, request, _form):
        game, colour = self._game(request)
        game.claim(colour, victory=False)

    def _post_chat(self, request, form):
        game, colour = self._game(request)
        if not form.get("text") or len(form["text"]) > 140 or form.get("room") not in ("player", "spectator"):
            raise Answer(400, {"text": ["Invalid value"]})
        game.say_in_chat(game.players[colour], form["text"], form["room"])

    def _get_chat(self, request, _form):
        game, _ = self._game(request)
        return JSONResponse(game.chat)

    # Challenges

    @staticmethod
    def _challenge_clock(form):
        """Seconds and increment, or None; days, or 0."""
        if "clock.limit" in form or "clock.increment" in form:
            limit, increment = int(form.get("clock.limit", -1)), int(form.get("clock.increment", -1))
            wrong = {"clock.limit": ["Invalid value"]} if limit not in _LIMITS_S else {}
            if not 0 <= increment <= 60:
                wrong["clock.increment"] = ["Must be less or equal to 60"]
            if wrong:
                raise Answer(400, wrong)
            if limit + 40 * increment < 180:
                raise Answer(400, "Invalid time control")
            return (limit, increment), 0
        days = int(form.get("days", 0))
        if days and days not in _DAYS:
            raise Answer(400, {"days": ["Invalid value"]})
        return None, days

    def _new_challenge(self, form, challenger, target):
        clock, days = self._challenge_clock(form)
        id_, colour, kind = next(self._ids), form.get("color", "random"), form.get("variant", "standard")
        control = {"type": "unlimited"}
        if clock:
            shown = f"{clock[0] / 60:g}+{clock[1]}"
            control = {"type": "clock", "limit": clock[0], "increment": clock[1], "show": shown}
        elif days:
            control = {"type": "correspondence", "daysPerTurn": days}
        name = speed(*clock) if clock else "correspondence"
        final = self._chance.choice((WHITE, BLACK)) if colour == "random" else colour
        challenge = {
            "id": id_,
            "url": f"{self.url}/{id_}",
            "status": "created",
            "challenger": self._light(challenger),
            "destUser": self._light(target),
            "variant": variant(kind),
            "rated": form.get("rated") == "true",
            "speed": name,
            "timeControl": control,
            "color": colour,
            "finalColor": final,
            "perf": {"icon": "#", "name": name.capitalize()},
            **({"initialFen": form["fen"]} if form.get("fen") else {}),
            "_users": (challenger, target),
            "_game": {"clock": clock, "days": days, "rated": form.get("rated") == "true", "kind": kind, "fen": form.get("fen", "")},
            "_until": self._now() + (self.challenge_s if clock else 14 * 86_400),
            "_stream": None,
        }  # fmt: skip
        self.challenges[id_] = challenge
        return challenge

    @staticmethod
    def _light(user):
        return user and {"id": user.id, "name": user.name, "rating": user.rating, "online": True}

    @staticmethod
    def _shown(challenge):
        return {name: value for name, value in challenge.items() if not name.startswith("_")}

    def _challenge_event(self, kind, challenge):
        compat = {"compat": {"bot": False, "board": True}} if kind == "challenge" else {}
        return {"type": kind, "challenge": self._shown(challenge), **compat}

    def _challenge(self, request, form):
        _, challenger = self._who(request, "challenge:write", "board:play")
        target = self.users.get(request.path_params["name"].lower())
        if target is None:
            raise Answer(404, f"No such user: {request.path_params['name']}")
        if target is challenger:
            raise Answer(400, "You cannot challenge yourself")
        challenge = self._new_challenge(form, challenger, target)
        self._announce(challenge)
        shown = {**self._shown(challenge), "direction": "out"}
        if form.get("keepAliveStream") != "true":
            return JSONResponse(shown)

        def gone():
            if challenge["status"] == "created":
                self._end_challenge(challenge, "canceled")

        stream = challenge["_stream"] = _Stream(self, gone, "challenge")
        challenge["_until"] = float("inf")
        stream.send(shown)
        return stream

    def offer(self, challenger, target, **form):
        """Let somebody challenge another, with a clock if nothing else is said; called by `do`."""
        form = {"clock.limit": "900", "clock.increment": "10", **form}
        challenge = self._new_challenge(form, self.user(challenger), self.user(target))
        self._announce(challenge)
        return challenge["id"]

    def _announce(self, challenge):
        for user in challenge["_users"]:
            self._send_event(user, self._challenge_event("challenge", challenge))

    def _end_challenge(self, challenge, status):
        challenge["status"] = status
        event = {"canceled": "challengeCanceled", "declined": "challengeDeclined"}.get(status)
        for user in filter(None, challenge["_users"] if event else ()):
            self._send_event(user, self._challenge_event(event, challenge))
        if challenge["_stream"]:
            challenge["_stream"].send({"done": status})
            challenge["_stream"].end()

    def _list_challenges(self, request, _form):
        _, user = self._who(request, "challenge:read")
        open_ = [one for one in self.challenges.values() if one["status"] == "created"]
        mine = [[self._shown(one) for one in open_ if one["_users"][side] is user] for side in (1, 0)]
        return JSONResponse({"in": mine[0], "out": mine[1]})

    def _open_one(self, request, side):
        """The open challenge of a request, if who asks is its challenger (0) or who is challenged (1)."""
        _, user = self._who(request, "challenge:write", "board:play")
        challenge = self.challenges.get(request.path_params["id"])
        if (
            challenge is None
            or challenge["status"] != "created"
            or challenge["_users"][side] not in (None, user)
        ):
            raise Answer(404, "Not found.")
        return challenge, user

    def _accept(self, request, _form):
        challenge, user = self._open_one(request, 1)
        self._take(challenge["id"], user, request.query_params.get("color"))

    def take(self, id_, name):
        """Let somebody take a challenge; also by the link of an open one."""
        self.do(lambda: self._take(id_, self.user(name)))

    def _take(self, id_, user, colour=None):
        """The first who takes an open challenge waits for the second."""
        challenge = self.challenges[id_]
        if challenge["_users"] == (None, None):
            challenge["_users"] = (user, None)
            challenge["finalColor"] = colour or challenge["finalColor"]
            return
        first = challenge["_users"][0]
        white, black = (first, user) if challenge["finalColor"] == WHITE else (user, first)
        self._begin(white, black, id_=id_, source="friend", **challenge["_game"])
        self._end_challenge(challenge, "accepted")

    def _decline(self, request, form):
        challenge, _ = self._open_one(request, 1)
        key = form.get("reason", "generic")
        if key not in _REASONS:
            raise Answer(400, {"reason": ["Invalid value"]})
        challenge["declineReason"], challenge["declineReasonKey"] = _REASONS[key], key.lower()
        self._end_challenge(challenge, "declined")

    def _cancel(self, request, _form):
        challenge, _ = self._open_one(request, 0)
        self._end_challenge(challenge, "canceled")

    def _challenge_ai(self, request, form):
        _, user = self._who(request, "challenge:write", "board:play")
        if not 1 <= int(form.get("level", 0)) <= 8:
            raise Answer(400, {"level": ["Must be between 1 and 8"]})
        clock, days = self._challenge_clock(form)
        colour = form.get("color", "random")
        colour = self._chance.choice((WHITE, BLACK)) if colour == "random" else colour
        sides = {colour: user, other(colour): User("Stockfish", ai=int(form["level"]))}
        game = self._begin(
            sides[WHITE], sides[BLACK], clock=clock, days=days, kind=form.get("variant", "standard"), fen=form.get("fen", ""), source="ai"
        )  # fmt: skip
        info = game.info(colour)
        told = {
            "id": game.id, "variant": variant(game.kind), "speed": game.speed, "perf": game.speed, "rated": False,
            "source": "ai", "createdAt": round(game.created * 1000), "fen": info["fen"], "turns": game.plies,
            "status": info["status"], "player": game.turn, "fullId": info["fullId"],
        }  # fmt: skip
        return JSONResponse(told, 201)

    def _challenge_open(self, _request, form):
        challenge = self._new_challenge(form, None, None)
        challenge["_until"] = self._now() + 86_400
        links = {
            f"url{colour.capitalize()}": f"{challenge['url']}?color={colour}" for colour in (WHITE, BLACK)
        }
        return JSONResponse({**self._shown(challenge), "open": {}, **links})

    # Watching

    def _current_game(self, request, _form):
        """The game that somebody plays, or the last one."""
        user = self.users.get(request.path_params["name"].lower())
        found = [game for game in self.games.values() if user and game.colour_of(user)]
        if not found:
            raise Answer(404, "Not found.")
        game = max(found, key=lambda game: (not game.over, game.moved))
        told = {
            "id": game.id, "rated": game.rated, "variant": game.kind, "speed": game.speed, "perf": game.speed,
            "createdAt": round(game.created * 1000), "lastMoveAt": round(game.moved * 1000), "status": game.status,
            "source": game.source, "players": self._players(game),
        }  # fmt: skip
        return JSONResponse(told)

    @staticmethod
    def _players(game):
        return {
            colour: {"aiLevel": user.ai}
            if user.ai
            else {"user": {"name": user.name, "id": user.id}, "rating": user.rating}
            for colour, user in game.players.items()
        }

    def _description(self, game):
        told = {
            "id": game.id, "variant": variant(game.kind), "speed": game.speed, "perf": game.speed, "rated": game.rated,
            "initialFen": game.start_fen or chess.STARTING_FEN, "fen": game.board.fen(), "player": game.turn,
            "turns": game.plies, "startedAtTurn": 0, "source": game.source,
            "status": {"id": STATUS_IDS[game.status], "name": game.status}, "createdAt": round(game.created * 1000),
            "players": self._players(game),
        }  # fmt: skip
        return {**told, "winner": game.winner} if game.winner else told

    def _watch(self, request, _form):
        """Another's game: what it is, and each position, three half-moves late as long as it goes on."""
        game = self.games.get(request.path_params["game"])
        if game is None:
            raise Answer(404, "Not found.")
        watcher = [_Stream(self, lambda: self._watchers[game.id].remove(watcher), "watched"), 0]
        self._watchers.setdefault(game.id, []).append(watcher)
        watcher[0].send(self._description(game))
        self._show(game, watcher)
        return watcher[0]

    def _show(self, game, watcher):
        stream, shown = watcher
        until = game.plies if game.over else max(0, game.plies - 3)
        board = chess.Board(game.start_fen or chess.STARTING_FEN, chess960=True)
        for ply, uci in enumerate(["", *game.moves]):
            if uci:
                board.push_uci(uci)
            if shown <= ply <= until:
                fen = " ".join(board.fen().split()[:2])
                clocks = {f"{colour[0]}c": game.milliseconds(colour) // 1000 for colour in (WHITE, BLACK)}
                stream.send({"fen": fen, **({"lm": uci} if uci else {}), **clocks})
        watcher[1] = max(shown, until + 1)
        if game.over:
            stream.send(self._description(game))
            stream.end()

    # OAuth

    def _oauth(self, request, _form):
        """The page on which the user says yes or no; here it answers at once."""
        asked = request.query_params
        if asked.get("response_type") != "code" or asked.get("code_challenge_method") != "S256":
            return PlainTextResponse("Bad request", 400)
        state = {"state": asked["state"]} if "state" in asked else {}
        if self.denies_login:
            told = {"error": "access_denied", "error_description": "user cancelled authorization", **state}
        else:
            code = f"liu_{len(self.codes)}"
            self.codes[code] = dict(asked)
            told = {"code": code, **state}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(told)}", 303)

    def _give_token(self, _request, form):
        asked = self.codes.pop(form.get("code", ""), None)
        verified = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if asked is None or verified.decode().rstrip("=") != asked["code_challenge"]:
            wrong = {
                "error": "invalid_grant",
                "error_description": "hash of code_verifier does not match code_challenge",
            }
            return JSONResponse(wrong, 400)
        if any(form.get(name) != asked[name] for name in ("redirect_uri", "client_id")):
            return JSONResponse(
                {"error": "invalid_request", "error_description": "redirect_uri or client_id"}, 400
            )
        token = self.token(asked.get("username", "Ana"), asked.get("scope", ""))
        return JSONResponse({"token_type": "Bearer", "access_token": token, "expires_in": 31_536_000})

    def _test_tokens(self, request, _form):
        tested = {}
        for token in request.state.body.split(","):
            user = self.tokens.get(token)
            scopes = ",".join(sorted(self._scopes.get(token, ())))
            tested[token] = user and {
                "userId": user.id,
                "scopes": scopes,
                "expires": round(self._now() + 3e7) * 1000,
            }
        return JSONResponse(tested)

    def _revoke(self, request, _form):
        token, _ = self._who(request)
        del self.tokens[token]
        return Response(status_code=204)


class _Stream:
    """An answer in lines of JSON that ends when it is told to, or nobody reads it any more."""

    def __init__(self, lichess, gone, kind):
        self._lichess, self._gone, self._kind = lichess, gone, kind
        self._lines = asyncio.Queue()

    def send(self, told):
        if self._lichess.sees:
            self._lichess.sees(self._kind, json.loads(json.dumps(told)))
        self._lines.put_nowait((json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n").encode())

    def end(self):
        self._lines.put_nowait(None)

    def cut(self, mid_line):
        self._lines.put_nowait(b'{"type":"gameSt' if mid_line else b"")
        self._lines.put_nowait(Answer(0, "cut"))

    async def __call__(self, _scope, receive, send):
        head = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", b"application/x-ndjson")],
        }
        await send(head)
        pump = asyncio.ensure_future(self._pump(send))
        left = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait((pump, left), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._gone()
            self._lichess._tell()
            for task in (pump, left):
                task.cancel()
            await asyncio.gather(pump, left, return_exceptions=True)

    async def _pump(self, send):
        while True:
            line = b"\n"
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._lichess.heartbeat_s):
                    line = await self._lines.get()
            await self._lichess.speaks.wait()
            if isinstance(line, Answer):
                return  # without the end of the answer: the server of the fake breaks the connection
            if line is None:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            middle = len(line) // 2 if self._lichess.chop else 0
            for part in (line[:middle], line[middle:]) if middle else (line,):
                await send({"type": "http.response.body", "body": part, "more_body": True})
                await asyncio.sleep(0.001 if middle else 0)


async def _disconnected(receive):
    while (await receive())["type"] != "http.disconnect":
        pass


class _Broken(Response):
    """An answer that breaks off: the connection is closed in the middle of its body."""

    async def __call__(self, _scope, _receive, send):
        head = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"11")]}
        await send(head)
        await send({"type": "http.response.body", "body": b'{"ok"', "more_body": True})
