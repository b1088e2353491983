# SPDX-License-Identifier: GPL-3.0-or-later
"""What a player claims, offers or concedes: draws, resignation; and how the session continues."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.offer import asked_again
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Arbitrated,
    Asking,
    Claiming,
    Grounds,
    Making,
    Nothing,
    Offered,
    Stopped,
    Sure,
)
from acessivel.dialogue.turn import AcceptDraw, AnswerAlone, Obey, Turn
from acessivel.laws import draw_claims, game_end
from acessivel.laws.grounds import Ground
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import COLOURS, Fact
from acessivel.session.changes import agreement, ignored, judged, offering, resting, say
from acessivel.session.effects import AskEngineForDraw
from acessivel.session.events import EngineAnswered
from acessivel.session.state import State, Step, TouchState
from voices.meaning import Command, CommandName

_BEGINNING = (*ANNOUNCING, Claiming)
# What is asked while an offer can be accepted all the same.
_BESIDE_AN_OFFER = (*ANNOUNCING, Making, Stopped, Arbitrated, Nothing)


def claims(state: State, command: CommandName) -> Step:
    """A draw by repetition or 50 moves is claimed: with the move that is being announced, or it is asked."""
    if not state.game.rules.claims:
        ruling = draw_claims.unregulated(state.game.rules, state.speaker)
        state = replace(state, game=state.game.noted(ruling.message()))
        return say(state, ruling.message(), *questions.question(state.asking))
    asking = questions.innermost(state.asking)
    if isinstance(asking, Claiming) or state.draw.claiming or state.draw.claims_with:
        return say(state, Message.of("claim_stands"), *questions.question(state.asking))
    state = replace(state, draw=replace(state.draw, touched=bool(state.touch.squares)))
    if isinstance(asking, ANNOUNCING):
        state = replace(state, draw=replace(state.draw, claims_with=command))
        return say(state, Message.of("claim_with_move"), *questions.question(state.asking))
    claim = Claiming(command, colour=state.speaker if state.two_persons else "")
    return say(replace(state, asking=claim), *questions.question(claim))


def claimed_for_good(state: State, turn: Turn) -> State:
    """The state in which a claim stands once its question, or its move's, has been answered (9.5.1; 2018).

    Until then a correction takes it back, as what was misheard.
    """
    says, touched = turn.command, bool(turn.command and turn.command.name is CommandName.TOUCHED)
    asking = questions.innermost(state.asking)
    claim = asking.command if isinstance(asking, Claiming) else state.draw.claims_with
    goes_back = asking != state.asking and asking == questions.innermost(turn.asking) and not touched
    if not claim or goes_back:  # something else was asked and answered
        return state
    if says and says.name is CommandName.CORRECTION and isinstance(asking, ANNOUNCING):
        return replace(state, draw=replace(state.draw, claims_with=None))
    leaves = turn.asking != asking if says is None else touched
    if not leaves:
        return state
    return replace(state, draw=replace(state.draw, claiming=claim, claims_with=None))


def waiting(state: State, turn: Turn) -> Turn:
    """A claim that stands waits for its move: what holds the game, or the other's move, is asked first."""
    asking = turn.asking
    stands = isinstance(asking, Claiming) and asking.stands and asking != state.asking
    held_up = state.clocks.stopped or state.arbiter.pending or state.game.announced or state.to_repeat
    if not (stands and held_up):
        return turn
    held = resting(state).asking
    return replace(turn, asking=held, say=(*turn.say, *questions.question(held)))


def drawn(state: State, command: CommandName, fact: Fact | None) -> tuple[State, tuple[Message, ...], bool]:
    """A draw by repetition or 50 moves is claimed, here or with a move that is not made yet (9.2, 9.3).

    The last value tells whether that move must now be made.
    """
    game, by = state.game, state.speaker
    illegal = fact is not None and fact.irregular  # no position can be claimed to arise from it
    uci, position = fact.uci if fact else None, state.standing.position
    claim = draw_claims.Claim(
        by,
        to_move=position.turn == by,
        done="touched" if state.draw.touched else "nothing",
        intended=uci,
        left_ms=game.clock.left(by, state.now_ms) if game.clock else None,
    )
    if command is CommandName.CLAIM_THREEFOLD:
        ruling = draw_claims.threefold(game.rules, claim, 0 if illegal else position.repetitions(uci))
    else:
        ruling = draw_claims.fifty(game.rules, claim, 0 if illegal else position.quiet_plies(uci))
    if fact and ruling.result:  # 9.2.1.1, 9.3.1; 2018: he has written it down
        game = game.noted(Message.of("note_claim_move", colour=by, san=fact.numbered, move=fact))
    state = replace(state, game=game, draw=replace(state.draw, claiming=None))
    state, messages = judged(state, ruling)
    return state, messages, ruling.must_play is not None


def quickplay(state: State) -> Step:
    """A draw is claimed in the quickplay finish, from the arbiter or without one (10.2, D; 2009).

    Without one the player is asked on which ground. The claim has ended play, so that the clocks stand still.
    """
    rules, claim = state.game.rules, _quickplay_claim(state)
    if state.setup.rulebook.supervised:
        return _said(judged(state, game_end.quickplay(rules, claim)))
    if refused := game_end.no_quickplay(rules, claim):
        return _said(judged(state, refused))
    state = replace(
        state, asking=Grounds(), game=state.game.pause(state.now_ms), clocks=state.clocks.waiting()
    )
    return say(state, *questions.question(state.asking))


def quickplay_on(state: State, ground: Ground) -> Step:
    """A draw is claimed without an arbiter on this ground; the program keeps the sheet (D1; D.1, 2009)."""
    claim = _quickplay_claim(state)
    return _said(judged(state, game_end.quickplay_without_arbiter(state.game.rules, claim, ground)))


def _quickplay_claim(state: State) -> game_end.QuickplayClaim:
    game, by = state.game, state.speaker
    left = game.clock.left(by, state.now_ms) if game.clock else 0
    last = game.clock is not None and game.clock.moves_to_go(by) is None
    return game_end.QuickplayClaim(by, left, last_period=last, to_move=state.standing.position.turn == by)


def resigned(state: State, colour: str = "") -> Step:
    """A player resigns (5.1.2; 2018): this one, or who speaks."""
    return _said(judged(state, game_end.resignation(state.game.rules, colour or state.speaker)))


def attributed(state: State, turn: Turn) -> Turn:
    """Ask whose offer, claim or resignation it is where two play; what is offered is not offered again."""
    sure = turn.asking
    if not isinstance(sure, Sure) or not isinstance(turn.do, AnswerAlone):
        return turn
    stands = state.draw.offer or state.draw.with_move
    if sure.command is CommandName.DRAW and stands:
        told = Message.of("draw_stands", colour=stands)
        return Turn(state.asking, (told, *questions.question(state.asking)), turn.do)
    if state.at_server and sure.command in (CommandName.TAKE_BACK, CommandName.CLAIM_DRAW):
        sure = replace(sure, colour=state.setup.colour, left=sure.command is CommandName.CLAIM_DRAW)
    if state.two_persons and sure.command in (CommandName.DRAW, CommandName.RESIGN):
        resigns = turn.do.command.colour or state.speaker
        by = _offerer(state, sure.before) if sure.command is CommandName.DRAW else resigns
        sure = replace(sure, colour=state.by if state.by in COLOURS else by)
    if state.two_persons and sure.command is CommandName.CLAIM_DRAW:
        sure = replace(sure, colour=state.speaker)
    return replace(turn, asking=sure, say=questions.question(sure))


def accepting(state: State, turn: Turn) -> Turn:
    """Accept the draw that is offered, whatever else is asked, unless a claim must be decided first."""
    if not (isinstance(turn.do, Obey) and turn.do.command == Command(CommandName.ACCEPT)):
        return turn
    if isinstance(state.asking, Offered):
        return Turn(NOTHING, do=AcceptDraw())
    offer, pending = state.draw.offer, state.arbiter.pending
    if not (offer and (state.two_persons or offer != state.setup.colour)):
        return Turn(state.asking, asked_again(state.asking, Message.of("draw_not_offered")))
    claimed = bool(state.draw.claiming or state.draw.claims_with)
    if pending:  # a claim in the quickplay finish is an offer of the draw that it claims (9.1b; 2009)
        claimed = not pending.key.startswith("quickplay")
    if claimed or not isinstance(state.asking, _BESIDE_AN_OFFER):
        first = Message.of("draw_stands", colour=offer), Message.of("answer_first")
        return Turn(state.asking, asked_again(state.asking, *first))
    return Turn(NOTHING, do=AcceptDraw())


def _offerer(state: State, asking: Asking) -> str:
    """Whose offer a draw is: of who is announcing a move, else of who has made the last (9.1.2.1; 2018)."""
    if state.game.announced:
        return state.game.announced.colour
    if not state.two_persons or _moves_now(state, asking) or not state.game.last:
        return state.speaker
    return state.game.last.colour


def _moves_now(state: State, asking: Asking) -> bool:
    """Whether the side to move has begun its move: one is being announced, or a piece was touched."""
    return isinstance(questions.innermost(asking), _BEGINNING) or bool(state.touch.squares)


def offered(state: State, colour: str = "") -> Step:
    """A draw is offered: the offer stands until it is answered, aloud or by a move (9.1.2.1; 2018).

    It is this side's, or that of who speaks. While its move is being announced, the offer goes with it.
    """
    by = colour or _offerer(state, state.asking)
    with_move = _moves_now(state, state.asking) and by == state.speaker
    moving = state.game.announced.colour if state.game.announced else by if with_move else ""
    ruling = agreement(state, moving)
    if not ruling.result:
        return say(state, ruling.message(), *questions.question(state.asking))
    if with_move:
        state = replace(state, draw=replace(state.draw, with_move=by))
        return say(state, Message.of("draw_with_move"), *questions.question(state.asking))
    state = offering(state, by)
    if not state.two_persons:
        state, effects = say(state, Message.of("draw_offered"), *questions.question(state.asking))
        return state, (*effects, AskEngineForDraw())
    if not isinstance(questions.innermost(state.asking), _BEGINNING):
        state = resting(state)
    noted = () if isinstance(state.asking, Offered) else (Message.of("draw_noted", colour=by),)
    return say(state, *noted, *questions.question(state.asking))


def offered_with(state: State, colour: str) -> Step:
    """The offer that was to go with a side's move stands once that move is made, unless it ends the game."""
    if state.draw.with_move != colour or state.game.result:
        return state, ()
    return offering(state, colour), () if state.two_persons else (AskEngineForDraw(),)


def answered(state: State, *, accepts: bool) -> Step:
    """The offer of a draw is accepted, or refused aloud."""
    state = replace(state, draw=state.draw.without_offer())
    if isinstance(state.asking, Offered):
        state = resting(state)
    if state.game.result:
        return ignored(state, EngineAnswered)
    if accepts:
        moving = state.game.announced.colour if state.game.announced else ""
        return _said(judged(state, agreement(state, moving)))
    again = questions.question(state.asking)
    return say(state, Message.of("draw_refused"), queries.turn(state.game), *again)


def refused_by_playing(state: State, colour: str) -> tuple[State, tuple[Message, ...]]:
    """Touching a piece or making a move declines the draw that was offered (9.1.2.1; 2018)."""
    if not state.draw.offer or state.draw.offer == colour or not state.two_persons:
        return state, ()
    return replace(state, draw=state.draw.without_offer()), (Message.of("draw_refused"),)


def settled(state: State, fact: Fact) -> tuple[State, tuple[Message, ...]]:
    """What a move settles that is not announced: touched pieces, its side's claim, the other's offer."""
    draw = replace(state.draw, claiming=None, claims_with=None)
    state, refused = refused_by_playing(replace(state, touch=TouchState(), draw=draw), fact.colour)
    state, _ = offered_with(state, fact.colour)  # an engine is not asked: it seals and presses nothing
    return state, refused


def _said(told: tuple[State, tuple[Message, ...]]) -> Step:
    state, messages = told
    return say(state, *messages)
