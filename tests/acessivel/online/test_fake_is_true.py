# SPDX-License-Identifier: GPL-3.0-or-later
"""The fake sends what the server is described to send: all of it fits our schemas, and the published ones."""

from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from support import lichess_schemas as schemas
from support.online import Reports

from acessivel.online import answers
from acessivel.online import reports as told
from acessivel.online.terms import Terms
from acessivel.session.effects import AskServer
from acessivel.session.events import ServerTold

SPECIFICATION = Path(__file__).parents[4] / "shared" / "lichess-api"
needs_specification = pytest.mark.skipif(
    not SPECIFICATION.is_dir(), reason="the published description of the API is not on this machine"
)


@pytest.fixture
def sent(lichess, enter):
    """All that the fake sends in a day at the server: (where, what)."""
    found = []
    lichess.sees = lambda where, what: found.append((where, what))
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    for reports in (anas, bobs):
        reports.next(told.Connected)
    ana.seek(Terms(15, 10, rated=True, colour="white"))
    anas.next(told.SeekBegan)
    bob.seek(Terms(15, 10, rated=True))
    game = anas.next(told.GameBegan).game.id
    events = Reports()
    opponent = ana.join(game, "Ana", events)
    events.next(ServerTold)
    for name, uci in zip(("Ana", "Bob") * 3, "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5".split(), strict=True):
        lichess.act(name, "move", game, uci)
    events.until(lambda event: len(getattr(event, "moves", ())) == 6)
    opponent.ask(AskServer("move", uci="e1g1", draw=True))
    opponent.ask(AskServer("chat", text="hi"))
    opponent.ask(AskServer("move", uci="e1g1"))
    events.until(lambda event: getattr(event, "draw", "") == "white")
    lichess.act("Bob", "propose_takeback", game, yes=True)
    lichess.do(lichess.games[game].leave, "black", 8)
    lichess.act("Bob", "resign", game)
    anas.next(told.OnlineGameEnded)
    ana.ai(2, Terms(days=3, colour="black"))
    anas.next(told.GameBegan)
    for terms in (Terms(10, 0, colour="white"), Terms(days=2), Terms()):
        ana.challenge("Bob", terms)
        bob.decline(bobs.next(told.ChallengeCame).challenge.id)
        anas.next(told.ChallengeGone)
    ana.challenge("Bob", Terms(10))
    anas.next(told.ChallengeSent)
    ana.cancel()
    bobs.until(lambda one: isinstance(one, told.ChallengeGone) and one.why == "cancelled")
    ana.open_challenge(Terms(10))
    anas.next(told.LinkMade)
    ana.challenge("nobody", Terms(10))
    ana.games()
    anas.next(told.GamesFound)
    return found


def our_schema(where, what):
    """The schema for what is sent somewhere; None for what nobody reads."""
    kinds = {"event": schemas.EVENTS, "game": schemas.IN_GAME}
    if where in kinds:
        return kinds[where][what["type"]]
    if where in schemas.ANSWERS:
        return schemas.ANSWERS[where][0]
    if "error" in what:
        return schemas.ERROR
    return schemas.OK if "/board/game/" in where or where.endswith(("/accept 200", "/decline 200")) else None


def test_all_that_the_fake_sends_fits_our_schemas(sent):
    kinds = {what["type"] for where, what in sent if where in ("event", "game")}
    assert kinds == {*schemas.EVENTS, *schemas.IN_GAME}
    for where, what in sent:
        if schema := our_schema(where, what):
            Draft202012Validator(schema).validate(what)


def published(name):
    """The published schema of that name, with all that it refers to."""

    def retrieve(uri):
        return Resource(yaml.safe_load(Path(uri.removeprefix("file://")).read_text("utf-8")), DRAFT202012)

    uri = (SPECIFICATION / "schemas" / f"{name}.yaml").as_uri()
    return Draft202012Validator({"$ref": uri}, registry=Registry(retrieve=retrieve))


@needs_specification
def test_all_that_the_fake_sends_fits_the_published_schemas(sent):
    for where, what in sent:
        name = schemas.PUBLISHED.get(what.get("type")) or schemas.ANSWERS.get(where, (None, None))[1]
        if name:
            published(name).validate(what)


def examples():
    """The published examples of what we read: (file, our schema, the example)."""
    files = {
        **{
            f"examples/stream-{kind}{more}.json.yaml": schema
            for kind, schema in schemas.EVENTS.items()
            for more in ("", "-ai")
        },
        "examples/challenges-createChallenge.json.yaml": schemas.CHALLENGE,
        "examples/challenges-openEndedChallenge.json.yaml": schemas.OPEN,
        **{f"schemas/{schemas.PUBLISHED[kind]}.yaml": schema for kind, schema in schemas.IN_GAME.items()},
    }
    for name, schema in files.items():
        path = SPECIFICATION / name
        if path.exists():
            content = yaml.safe_load(path.read_text("utf-8"))
            yield name, schema, content.get("value") or content["example"]


@needs_specification
@pytest.mark.parametrize(("schema", "example"), [pytest.param(*one, id=name) for name, *one in examples()])
def test_a_published_example_fits_our_schema_and_is_understood(schema, example):
    Draft202012Validator(schema).validate(example)
    match example.get("type"):
        case "gameStart":
            assert answers.game(example["game"]).id == example["game"]["gameId"]
        case "gameFinish":
            assert answers.ended(example["game"]).status == example["game"]["status"]["name"]
        case "challenge" | "challengeCanceled" | "challengeDeclined":
            found = answers.challenge(example["challenge"], "nobody")
            assert (found.id, found.reason) == (
                example["challenge"]["id"],
                example["challenge"].get("declineReasonKey", ""),
            )
        case "gameFull":
            found = answers.looked_up(example, "Mary")
            assert (found.colour, found.opponent, found.rating, found.minutes, found.my_turn) == (
                "black",
                "Bobby",
                1751,
                15,
                True,
            )
        case None:
            assert answers.id_of(example) == example["id"]
        case _:
            assert answers.in_game(example)
