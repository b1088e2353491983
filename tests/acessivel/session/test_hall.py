# SPDX-License-Identifier: GPL-3.0-or-later
"""Arbiters who are not at the table: they are called, and what they decide is ruled on as if said there."""

import pytest

from acessivel.dialogue.questions import NOTHING, Arbitrated, Confirm, Stopped, Sure
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages import wire
from acessivel.messages.rendering import Renderer
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session import practice
from acessivel.session.state import State
from acessivel.session.step import step, wakes_in
from acessivel.storage.journal import Journal
from voices.meaning import CommandName

MINUTE = 60_000
EVA = "Eva Roth"


class Game:
    """A game in a hall, and what was told last: the keys of its messages."""

    def __init__(self, *, hall=True, **setup):
        self.state, self.told, self.said = (
            State.new(Setup.of(**{"clock": "90", "language": "en"} | setup)),
            [],
            [],
        )
        self.number = 0
        self.happen(ev.Started(hall=hall), ev.SpeechEnded())

    def happen(self, *events):
        for event in events:
            self.state, effects = step(self.state, event)
            self.said = [one for one in effects if isinstance(one, ef.Say)]
            self.told = [message.key for one in self.said for message in one.messages]
        return self

    def say(self, *words):
        for word in words:
            self.happen(ev.Heard(words=(word,), at=self.state.now_ms), ev.SpeechEnded(at=self.state.now_ms))
        return self

    def asked(self, *words):
        """What the last of some words is answered with, before all has been said."""
        self.say(*words[:-1])
        return self.happen(ev.Heard(words=words[-1:], at=self.state.now_ms)).told

    def propose(self, what, *given, about="", plies=None, message="", number=None, ago_ms=0):
        self.number = self.number + 1 if number is None else number
        plies = len(self.state.game.played) if plies is None else plies
        now = self.state.now_ms
        proposed = ev.Proposed(
            id=self.number, by=EVA, what=what, given=given, about=about, plies=plies, message=message, at=now,
            ago_ms=ago_ms,
        )  # fmt: skip
        return self.happen(proposed).told

    @property
    def answer(self):
        why = self.state.hall.proposals[-1].why
        return why.key if why else None

    @property
    def notes(self):
        return [note.message.key for note in self.state.game.notes]


def test_who_is_not_at_the_table_is_called_by_a_no():
    game = Game()
    assert game.asked("arbiter") == ["ask_arbiter_or_call"]
    assert game.asked("no") == ["hall_called"]
    assert game.state.hall.called
    assert game.state.asking == NOTHING
    assert game.state.game.clock.running == "white"


def test_the_question_that_was_open_is_put_again_after_the_call():
    game = Game().say("e4", "arbiter")
    assert game.asked("no") == ["hall_called", "ask_move"]


def test_an_arbiter_who_comes_to_the_table_need_not_be_called_any_more():
    game = Game().say("arbiter", "no", "arbiter", "yes")
    assert not game.state.hall.called


def test_without_a_hall_a_no_calls_nobody():
    game = Game(hall=False)
    assert game.asked("arbiter") == ["ask_arbiter"]
    assert game.asked("no") == ["going_on"]
    assert not game.state.hall.called


def test_a_resumed_game_knows_whether_there_is_a_hall():
    game = Game().happen(ev.Resumed(at=0))
    assert game.asked("arbiter") == ["ask_arbiter"]


def test_a_call_is_answered_and_no_clock_is_touched():
    game = Game().say("arbiter", "no")
    assert game.propose("coming") == ["hall_coming"]
    assert not game.state.hall.called
    assert game.state.game.clock.running == "white"
    assert game.notes == []


@pytest.mark.parametrize(
    "settled",
    [
        lambda game: game.propose("warn", 1),
        lambda game: game.propose("result", 3),
        lambda game: game.propose("coming"),
        lambda game: game.say("resign", "yes"),
    ],
)
def test_that_an_arbiter_comes_is_told_to_nobody_who_no_longer_waits_for_him(settled):
    game = Game().say("arbiter", "no")
    settled(game)
    assert game.propose("coming") == []
    assert game.answer == "hall_already"


@pytest.mark.parametrize(
    ("what", "given", "told", "notes"),
    [
        ("warn", (1,), ["hall_decides", "warned"], ["hall_decides", "warned"]),
        ("time", (2, 1, 2, 30), *[["hall_decides", "ruling", "time_left"]] * 2),
        ("stop", (), ["hall_decides", "clocks_stopped", "ask_held"], ["hall_decides", "clocks_stopped"]),
        ("result", (3,), ["hall_decides", "over", "after_over"], ["hall_decides", "declared"]),
        ("restore", (1, 1), ["hall_decides", "ruling", "turn"], ["hall_decides", "ruling"]),
        ("hands", (2,), ["hall_decides", "ruling", "turn"], ["hall_decides", "ruling"]),
    ],
)
def test_what_is_decided_elsewhere_is_told_with_who_has_and_stands_in_the_record(what, given, told, notes):
    game = Game().say("e4", "yes", "e5", "yes")
    assert [key.removesuffix("_first") for key in game.propose(what, *given)] == told
    assert game.notes == notes
    assert game.answer is None


def test_time_is_added_to_the_side_that_was_named():
    game = Game().say("e4", "yes")
    before = game.state.game.clock.left("black", 0)
    game.propose("time", 2, 1, 2, 30)
    assert game.state.game.clock.left("black", 0) == before + 150_000
    assert game.state.game.clock.running == "black"


def test_the_same_decision_again_does_nothing():
    game = Game()
    game.propose("warn", 1)
    assert game.propose("warn", 1, number=1) == []
    assert game.notes == ["hall_decides", "warned"]


@pytest.mark.parametrize(
    ("setup", "words", "what", "given", "why"),
    [
        ({}, (), "nonsense", (), "hall_unknown"),
        ({}, (), "clocks", (), "hall_unknown"),
        ({}, (), "more", (1,), "hall_unknown"),
        ({}, (), "warn", (), "hall_unknown"),
        ({}, (), "warn", (3,), "hall_unknown"),
        ({}, (), "warn", (1, 1), "hall_unknown"),
        ({}, (), "time", (1, 1, 999, 0), "hall_unknown"),
        ({}, (), "stop", (1,), "hall_unknown"),
        ({}, (), "announce", (), "hall_unknown"),
        ({}, (), "go", (), "hall_already"),
        ({}, (), "restore", (1, 1), "no_such_position"),
        ({}, (), "hands", (1,), "no_such_position"),
        ({}, (), "claim", (1,), "hall_other_position"),
        ({}, (), "absence", (1, 1), "hall_other_position"),
        ({}, (), "position", (), "position_legal"),
        ({"clock": "none"}, (), "time", (1, 1, 5, 0), "no_clock"),
        ({}, ("resign", "yes"), "warn", (1,), "game_is_over"),
        ({}, ("resign", "yes"), "stop", (), "game_is_over"),
    ],
)
def test_what_cannot_be_applied_disturbs_nobody_and_the_hall_is_told_why(setup, words, what, given, why):
    game = Game(**setup).say(*words)
    before = game.state.game, game.state.asking
    assert game.propose(what, *given) == []
    assert game.answer == why
    assert (game.state.game, game.state.asking) == before


@pytest.mark.parametrize(
    ("what", "given"), [("restore", (1, 1)), ("colours", ()), ("start", ()), ("stop", ()), ("go", ())]
)
def test_nothing_changes_the_position_or_the_clocks_of_a_move_that_is_being_sealed(what, given):
    game = Game(clock="90").say("e4", "yes", "e5", "yes").happen(ev.MoveWritten())
    before = game.state.game
    assert game.propose(what, *given) == []
    assert (game.answer, game.state.game) == ("hall_adjourned", before)


@pytest.mark.parametrize(("what", "given"), [("warn", (1,)), ("coming", ()), ("result", (3,))])
def test_an_arbiter_warns_comes_and_ends_the_game_while_a_move_is_being_sealed(what, given):
    game = Game().say("e4", "yes", "e5", "yes", "arbiter", "no").happen(ev.MoveWritten())
    game.propose(what, *given)
    assert game.answer is None


# What is right only of the position and the moment at which it was decided, and what is right later as well.
OF_THE_MOMENT = [
    ("stop", ()), ("result", (1,)), ("restore", (1, 1)), ("hands", (2,)), ("time", (2, 1, 2, 0)), ("silent", (1,)),
]  # fmt: skip
AT_ANY_TIME = [("warn", (1,)), ("coming", ()), ("announce", ())]
MOVES = ("e4", "yes", "e5", "yes", "d4", "yes", "d5", "yes")


@pytest.mark.parametrize(("what", "given"), OF_THE_MOMENT)
@pytest.mark.parametrize(
    ("plies", "ago_ms", "why"),
    [(1, 0, "hall_other_position"), (4, 4 * MINUTE, "hall_too_late"), (2, 2 * MINUTE, None)],
)
def test_what_is_decided_for_a_moment_that_is_past_is_not_applied(what, given, plies, ago_ms, why):
    game = Game().say(*MOVES)
    before = game.state.game
    game.propose(what, *given, plies=plies, ago_ms=ago_ms)
    assert game.answer == why
    assert (game.state.game == before) == bool(why)


def test_clocks_are_not_started_by_what_was_decided_long_ago():
    game = Game()
    game.propose("stop")
    game.propose("go", ago_ms=4 * MINUTE)
    assert (game.answer, game.state.clocks.stopped) == ("hall_too_late", True)
    game.propose("go", ago_ms=MINUTE)
    assert (game.answer, game.state.clocks.stopped) == (None, False)


def test_after_a_position_was_restored_at_the_table_a_decision_about_what_was_before_is_not_applied():
    game = Game().say(*MOVES)
    game.propose("restore", 1, 1)
    game.propose("result", 1, plies=4)
    assert (game.answer, game.state.game.result) == ("hall_other_position", None)


@pytest.mark.parametrize(("what", "given"), AT_ANY_TIME)
def test_a_warning_and_what_is_only_told_may_come_late(what, given):
    game = Game().say(*MOVES, "arbiter", "no")
    message = wire.to_json(Message.of("hall_says_quiet")) if what == "announce" else ""
    game.propose(what, *given, plies=0, ago_ms=30 * MINUTE, message=message)
    assert game.answer is None


def test_a_verdict_on_the_claim_that_still_waits_may_come_late():
    game = quickplay()
    game.propose("claim", 1, about="quickplay_asked", ago_ms=30 * MINUTE)
    assert game.answer is None


@pytest.mark.parametrize("message", [Message.of("of tomorrow"), Message.of("warned")])
def test_an_announcement_for_which_there_are_no_words_is_told_to_nobody(message):
    game = Game()
    assert game.propose("announce", message=wire.to_json(message)) == []
    assert game.answer == "hall_unknown"


def test_a_move_that_awaits_its_yes_still_does_after_a_warning():
    game = Game().say("e4")
    assert game.propose("warn", 2) == ["hall_decides", "warned", "ask_move"]
    assert isinstance(game.state.asking, Confirm)
    assert [move.fact.san for move in game.say("yes").state.game.played] == ["e4"]


@pytest.mark.parametrize("between", [(), ("stop",), ("laws",), ("resign", "laws")])
def test_a_move_that_awaits_its_yes_is_not_played_by_a_yes_after_the_clocks_were_stopped(between):
    game = Game().say("e4", *between)
    assert game.propose("stop") == ["hall_decides", "clocks_stopped", "announced_withdrawn", "ask_held"]
    assert isinstance(game.state.asking, Stopped)
    assert game.asked("yes") == ["answer_early", "ask_held"]
    assert game.state.game.played == ()
    assert game.state.clocks.stopped


def test_clocks_that_an_arbiter_has_stopped_only_an_arbiter_starts_again():
    game = Game()
    game.propose("stop")
    game.happen(ev.SpeechEnded())
    assert game.asked("yes") == ["ask_held"]
    assert game.state.clocks.stopped
    assert game.propose("go") == ["hall_decides", "clocks_run", "turn"]
    assert game.state.game.clock.running == "white"


def test_an_arbiter_at_the_table_starts_clocks_that_were_stopped_from_elsewhere():
    game = Game()
    game.propose("stop")
    game.happen(ev.SpeechEnded())
    game.say("arbiter", "yes", "3", "yes")
    assert game.state.game.clock.running == "white"


def test_clocks_that_the_players_have_stopped_they_start_again_themselves():
    game = Game()
    game.propose("stop")
    game.propose("go")
    game.say("stop the clock", "yes")
    assert not game.state.clocks.stopped


def quickplay():
    game = Game(laws="fide-2009", clock="90")
    game.happen(ev.Tick(at=89 * MINUTE))
    return game.say("I claim a draw", "yes")


def test_who_stops_the_clock_calls_the_arbiter_and_going_on_without_him_ends_the_call():
    game = Game()
    assert game.asked("stop the clock") == ["ruling", "hall_called", "ask_go_on"]
    assert game.state.hall.called
    game.happen(ev.SpeechEnded())
    assert game.asked("yes") == ["hall_uncalled", "clocks_run", "turn"]
    assert not game.state.hall.called


def test_without_a_hall_a_stopped_clock_calls_nobody():
    game = Game(hall=False)
    assert "hall_called" not in game.asked("stop the clock")
    assert not game.state.hall.called


def test_who_was_called_in_words_is_so_still_when_the_players_go_on():
    game = Game().say("arbiter", "no")
    assert "hall_called" not in game.asked("stop the clock")
    assert game.say("yes").state.hall.called


@pytest.mark.parametrize("what", ["coming", "go"])
def test_an_arbiter_settles_the_call_of_a_stopped_clock(what):
    game = Game().say("stop the clock")
    game.propose(what)
    assert not game.state.hall.called


def test_clocks_that_an_arbiter_has_stopped_stay_his_when_a_player_stops_them_too():
    game = Game()
    game.propose("stop")
    game.say("stop the clock")
    assert game.asked("yes")[0] == "ask_held"


def quietly(game):
    """What is told when nothing else is said, and that only once."""
    told = [game.happen(ev.Tick(at=game.state.now_ms, quiet=True)).told for _ in "12"]
    assert told[1] == []
    return told[0]


def test_who_may_let_stopped_clocks_run_is_asked_anew_when_an_arbiter_stops_them_too():
    game = Game().say("stop the clock")
    assert game.propose("stop")[-1] == "ask_held"


def test_an_offer_that_stands_after_a_rejected_claim_is_asked_once():
    game = quickplay()
    game.propose("claim", 2, about="quickplay_asked")
    assert game.told == ["hall_decides", "ruling", "turn", "ask_accept_draw"]


def test_who_calls_while_the_hall_is_lost_hears_that_nobody_comes_by_it_and_when_it_is_back():
    game = Game().happen(ev.HallNews(lost=True))
    assert quietly(game) == []
    assert game.asked("arbiter", "no") == ["hall_called_later"]
    game.happen(ev.HallNews(lost=False))
    assert quietly(game) == ["hall_back"]


def test_who_has_called_hears_when_the_hall_is_lost_before_anybody_came():
    game = Game().say("e4", "arbiter", "no").happen(ev.HallNews(lost=True))
    assert wakes_in(game.state, game.state.now_ms, quiet=True) != 0
    assert quietly(game) == []
    game.say("yes")
    assert wakes_in(game.state, game.state.now_ms, quiet=True) == 0
    assert quietly(game) == ["hall_called_later"]


@pytest.mark.parametrize(("refused", "told"), [(False, "hall_unreached"), (True, "hall_key_refused")])
def test_a_hall_that_is_not_there_at_the_start_is_told_once_when_nothing_else_is_said(refused, told):
    game = Game().happen(ev.HallNews(lost=True, never=True, refused=refused))
    assert [(one.private, one.to) for one in game.said] == [(True, "arbiter")]
    assert quietly(game) == [told]
    game.happen(ev.HallNews(lost=False))
    assert quietly(game) == ["hall_back"]


def test_a_hall_that_is_there_before_anybody_was_told_is_no_news():
    game = Game().happen(ev.HallNews(lost=True, never=True), ev.HallNews(lost=False))
    assert quietly(game) == []
    assert wakes_in(game.state, game.state.now_ms, quiet=True) != 0


def test_that_the_key_is_ended_in_the_game_no_player_is_told():
    game = Game().happen(ev.HallNews(lost=True, refused=True))
    assert game.told == ["hall_key_refused"]
    assert quietly(game) == []


def test_a_claim_is_decided_as_it_stands():
    game = quickplay()
    assert isinstance(game.state.asking, Arbitrated)
    assert game.propose("claim", 1, about="quickplay_asked")[:2] == ["hall_decides", "claim_accepted"]
    assert game.state.game.result.score == "1/2-1/2"


def test_a_claim_is_not_decided_for_another_or_in_another_position():
    game = quickplay()
    for about, plies in (("flag_undecided", 0), ("quickplay_asked", 3), ("", 0)):
        game.propose("claim", 1, about=about, plies=plies)
        assert game.answer == "hall_other_position"
    assert game.state.game.result is None


def test_who_came_too_late_is_asked_in_the_hall_not_at_the_table():
    game = Game(default_time=30)
    game.propose("late", 1, 40)
    assert isinstance(game.state.asking, Arbitrated)
    game.propose("absence", 1, 1, about=game.state.arbiter.pending.key)
    assert game.state.game.result.score == "0-1"


def test_a_message_to_all_tables_is_told_in_the_language_of_each():
    message = wire.to_json(Message.of("warned", colour="white"))
    game = Game().say("e4")
    assert game.propose("announce", message=message) == ["warned", "ask_move"]
    assert game.notes == []


def test_what_is_announced_is_told_after_the_end_too():
    game = Game().say("resign", "yes")
    assert game.propose("announce", message=wire.to_json(Message.of("hall_says_end"))) == ["hall_says_end"]


PAIRING = Message.of(
    "next_pairings",
    white=Message.of(
        "event_pairing",
        round=4,
        table=3,
        name="Alves, Ana",
        colour="black",
        opponent="Costa, Carla",
        number=3,
    ),
    black=Message.of("event_bye", name="Brito, Bruno", round=4),
)


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("pt", "meu próximo emparceiramento", "Rodada 4, mesa 3: Alves, Ana joga com as Pretas contra Costa, Carla, número 3. Rodada 4: Brito, Bruno não tem adversário."),
        ("en", "my next pairing", "Round 4, table 3: Alves, Ana plays with Black against Costa, Carla, number 3. Round 4: Brito, Bruno has no opponent."),
        ("de", "meine nächste Paarung", "Runde 4, Tisch 3: Alves, Ana spielt mit Schwarz gegen Costa, Carla, Nummer 3. Runde 4: Brito, Bruno ist spielfrei."),
        ("es", "próximo emparejamiento", "Ronda 4, mesa 3: Alves, Ana juega con las Negras contra Costa, Carla, número 3. Ronda 4: Brito, Bruno no tiene rival."),
    ],
)  # fmt: skip
def test_the_next_pairing_is_told_to_who_asks_for_it(language, words, told):
    game = Game(language=language)
    assert game.asked(words) == ["hall_no_pairing"]
    assert game.propose("pairing", message=wire.to_json(PAIRING)) == []
    assert game.answer is None
    game.asked(words)
    (message,) = game.said[0].messages
    assert Renderer(language).text(message) == told


def test_the_next_pairing_disturbs_no_question_and_no_clock():
    game = Game()
    game.happen(ev.Heard(words=("e4",)))
    asking, clocks = game.state.asking, game.state.game.clock
    game.propose("pairing", message=wire.to_json(PAIRING))
    assert (game.state.asking, game.state.game.clock) == (asking, clocks)
    assert game.asked("next pairing") == ["next_pairings", "ask_move"]


def test_after_the_end_of_a_game_the_next_pairing_is_told_by_itself():
    game = Game().say("resign", "yes")
    assert game.state.game.result
    assert game.propose("pairing", message=wire.to_json(PAIRING))[0] == "next_pairings"


def test_a_pairing_without_a_sentence_is_refused():
    game = Game()
    game.propose("pairing")
    assert game.answer == "hall_unknown"
    assert game.state.hall.pairing is None


def test_help_and_the_menu_have_the_next_pairing_only_in_a_hall():
    assert CommandName.NEXT_PAIRING in practice.commands(Game().state)
    assert CommandName.NEXT_PAIRING not in practice.commands(Game(hall=False).state)


def test_a_game_of_a_hall_does_not_lead_online():
    assert Game().asked("play online") == ["online_not_from_here"]
    assert CommandName.PLAY_ONLINE not in practice.commands(Game().state)


def test_the_question_whether_the_arbiter_is_there_stays_open():
    game = Game().say("arbiter")
    game.propose("warn", 1)
    assert game.state.asking == Sure(CommandName.ARBITER, NOTHING, calls=True)


def test_that_the_hall_is_lost_no_player_is_told_and_the_arbiter_once():
    game = Game().happen(ev.HallNews(lost=True))
    assert [(one.private, one.to) for one in game.said] == [(True, "arbiter")]
    assert game.happen(ev.HallNews(lost=True)).told == []
    assert game.asked("arbiter", "yes")[0] == "hall_lost"
    assert game.say("no").asked("arbiter", "yes")[0] == "ask_arbiter_what"
    assert game.happen(ev.HallNews(lost=False)).told == ["hall_back"]


def test_what_was_decided_stands_in_the_journal(tmp_path):
    journal = Journal(tmp_path)
    setup = Setup.of(clock="90", language="en")
    number, state = journal.create(setup, "2026-01-01T00:00:00"), State.new(setup)
    proposed = ev.Proposed(id=7, by=EVA, what="time", given=(1, 1, 5, 0))
    for at, event in enumerate((ev.Started(hall=True), proposed)):
        after, _ = step(state, event)
        journal.append(number, at, event, state, after)
        state = after
    journal.close()
    journal = Journal(tmp_path)
    assert journal.load(number).state == state
    journal.close()
