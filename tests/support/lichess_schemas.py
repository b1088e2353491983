# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Board API of Lichess sends, as JSON schemas of our own: only what the program reads or the fake tells."""

COLOUR = {"enum": ["white", "black"]}
TEXT, NUMBER, YES = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
NATURAL = {"type": "integer", "minimum": 0}
SPEED = {"enum": ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]}
STATUS_NAME = {
    "enum": [
        "created", "started", "aborted", "mate", "resign", "stalemate", "timeout", "draw", "outoftime", "cheat", "noStart",
        "unknownFinish", "insufficientMaterialClaim", "variantEnd",
    ]
}  # fmt: skip
UCI_MOVES = {"type": "string", "pattern": "^([a-h][1-8][a-h][1-8][nbrq]?( (?!$)|$))*$"}


def closed(required, optional=None):
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": sorted(required),
        "additionalProperties": False,
    }


VARIANT = closed({"key": TEXT, "name": TEXT}, {"short": TEXT})
STATUS = closed({"id": NATURAL, "name": STATUS_NAME})
STATE = closed(
    {
        "type": {"const": "gameState"}, "moves": UCI_MOVES, "wtime": NATURAL, "btime": NATURAL, "winc": NATURAL,
        "binc": NATURAL, "status": STATUS_NAME,
    },
    {
        "winner": COLOUR, "wdraw": YES, "bdraw": YES, "wtakeback": YES, "btakeback": YES,
        "expiration": closed({"idleMillis": NUMBER, "millisToMove": NATURAL}),
    },
)  # fmt: skip
SIDE = closed(
    {"id": TEXT, "name": TEXT},
    {"title": {"type": ["string", "null"]}, "rating": NATURAL, "provisional": YES, "aiLevel": NATURAL},
)
FULL = closed(
    {
        "type": {"const": "gameFull"}, "id": TEXT, "variant": VARIANT, "speed": SPEED, "perf": closed({"name": TEXT}),
        "rated": YES, "createdAt": NATURAL, "white": SIDE, "black": SIDE, "initialFen": TEXT, "state": STATE,
    },
    {"clock": closed({"initial": NATURAL, "increment": NATURAL}), "daysPerTurn": NATURAL},
)  # fmt: skip
CHAT = closed(
    {"type": {"const": "chatLine"}, "room": {"enum": ["player", "spectator"]}, "username": TEXT, "text": TEXT}
)
GONE = closed({"type": {"const": "opponentGone"}, "gone": YES}, {"claimWinInSeconds": NATURAL})
FOE = {
    "oneOf": [
        closed({"id": TEXT, "username": TEXT, "rating": NATURAL}, {"ratingDiff": NUMBER}),
        closed({"id": {"type": "null"}, "username": TEXT, "ai": NATURAL}, {"rating": NATURAL}),
    ]
}
_GAME = {
    "fullId": TEXT, "gameId": TEXT, "fen": TEXT, "color": COLOUR, "lastMove": TEXT, "source": TEXT, "status": STATUS,
    "variant": VARIANT, "speed": SPEED, "perf": TEXT, "rated": YES, "hasMoved": YES, "opponent": FOE, "isMyTurn": YES,
    "rating": NATURAL,
}  # fmt: skip
_MORE = {"winner": COLOUR, "ratingDiff": NUMBER}
EVENT_GAME = closed(
    {**_GAME, "compat": closed({"bot": YES, "board": YES}), "id": TEXT}, {**_MORE, "secondsLeft": NATURAL}
)
PLAYING = closed(
    {
        "nbMyTurn": NATURAL,
        "nowPlaying": {"type": "array", "items": closed({**_GAME, "secondsLeft": NATURAL}, _MORE)},
    }
)
USER = closed(
    {"id": TEXT, "name": TEXT},
    {
        "rating": NATURAL, "online": YES, "title": {"type": ["string", "null"]}, "provisional": YES, "lag": NATURAL,
        "flair": TEXT, "patron": YES, "patronColor": NATURAL,
    },
)  # fmt: skip
CONTROL = {
    "oneOf": [
        closed({"type": {"const": "clock"}, "limit": NATURAL, "increment": NATURAL, "show": TEXT}),
        closed({"type": {"const": "correspondence"}, "daysPerTurn": NATURAL}),
        closed({"type": {"const": "unlimited"}}),
    ]
}
_CHALLENGE = {
    "id": TEXT, "url": TEXT, "status": {"enum": ["created", "offline", "canceled", "declined", "accepted"]},
    "challenger": USER, "destUser": USER, "variant": VARIANT, "rated": YES, "speed": SPEED, "timeControl": CONTROL,
    "color": {"enum": ["white", "black", "random"]}, "finalColor": COLOUR, "perf": closed({"icon": TEXT, "name": TEXT}),
}  # fmt: skip
_BESIDE = {"initialFen": TEXT, "direction": {"enum": ["in", "out"]}}
CHALLENGE = closed(_CHALLENGE, _BESIDE)
DECLINED = closed({**_CHALLENGE, "declineReason": TEXT, "declineReasonKey": TEXT}, _BESIDE)
NOBODY = {"challenger": {"type": "null"}, "destUser": {"type": "null"}}
OPEN = closed(
    {**_CHALLENGE, **NOBODY, "open": {"type": "object"}, "urlWhite": TEXT, "urlBlack": TEXT}, _BESIDE
)
ERROR = {"type": "object", "required": ["error"]}
OK = closed({"ok": {"const": True}})


def _event(kind, **parts):
    compat = {"compat": closed({"bot": YES, "board": YES})} if kind == "challenge" else {}
    return closed({"type": {"const": kind}, **parts}, compat)


EVENTS = {
    "gameStart": _event("gameStart", game=EVENT_GAME),
    "gameFinish": _event("gameFinish", game=EVENT_GAME),
    "challenge": _event("challenge", challenge=CHALLENGE),
    "challengeCanceled": _event("challengeCanceled", challenge=CHALLENGE),
    "challengeDeclined": _event("challengeDeclined", challenge=DECLINED),
}
IN_GAME = {"gameFull": FULL, "gameState": STATE, "chatLine": CHAT, "opponentGone": GONE}

# Where the fake sends what -> our schema, and the file of the published one.
ANSWERS = {
    "GET /api/account/playing 200": (PLAYING, None),
    "POST /api/challenge/{name} 200": (CHALLENGE, "ChallengeJson"),
    "POST /api/challenge/open 200": (OPEN, "ChallengeOpenJson"),
}
PUBLISHED = {
    "gameStart": "GameStartEvent",
    "gameFinish": "GameFinishEvent",
    "challenge": "ChallengeEvent",
    "challengeCanceled": "ChallengeCanceledEvent",
    "challengeDeclined": "ChallengeDeclinedEvent",
    "gameFull": "GameFullEvent",
    "gameState": "GameStateEvent",
    "chatLine": "ChatLineEvent",
    "opponentGone": "OpponentGoneEvent",
}
