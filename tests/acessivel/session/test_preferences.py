# SPDX-License-Identifier: GPL-3.0-or-later
"""How the program speaks, tells, sounds and listens, changed in mid-game; and that no message is only a sound."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.happening import happen
from support.journals import first_version
from support.languages import LANGUAGES

from acessivel.dialogue.questions import Confirm
from acessivel.game.game import Setup
from acessivel.messages import earcon_cues
from acessivel.messages.rendering import VERBOSITIES, Renderer, catalogue
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.preferences import Preferences
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from voices.meaning import CommandName
from voices.sound import earcons
from voices.speakers.manner import STEPS, Manner
from voices.words.files import choices
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

MINUTE = 60_000
USUAL = Manner()
# What each command is there for: the part of the preferences, and which way it goes.
WAYS = {
    "faster": ("rate", 1), "slower": ("rate", -1), "higher": ("pitch", 1), "lower": ("pitch", -1),
    "louder": ("volume", 1), "softer": ("volume", -1),
}  # fmt: skip
IN_THE_MIDDLE = Preferences(Manner(100, 100, 50), "normal", earcons.NAMES, "hands-free")


def new(preferences=IN_THE_MIDDLE, **setup):
    state, _ = step(State.new(Setup.of(**{"language": "en", **setup})), ev.Started())
    return replace(state, preferences=preferences)


def said(effects):
    return [message for effect in effects if isinstance(effect, ef.Say) for message in effect.messages]


def adopted(effects):
    return [(effect.setting, effect.value) for effect in effects if isinstance(effect, ef.Adopt)]


def typed(words):
    return ev.Heard(words=(words,))


def spoken(words):
    return ev.Heard(words=(words,), spoken=True)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ["voice", "typed", "key"])
@pytest.mark.parametrize("command", WAYS)
def test_rate_pitch_and_volume_change_by_voice_typed_and_by_key(command, way, language):
    words = vocabulary(language).say("command", command)
    event = {"voice": spoken(words), "typed": typed(words), "key": ev.Ordered(command=command)}[way]
    state, effects = step(new(language=language), event)
    name, direction = WAYS[command]
    before, after = getattr(IN_THE_MIDDLE.voice, name), getattr(state.preferences.voice, name)
    assert (after - before) * direction > 0
    assert replace(state.preferences.voice, **{name: before}) == IN_THE_MIDDLE.voice
    assert adopted(effects) == [(name, after)]
    # Told back in the new manner: it is adopted first.
    assert isinstance(effects[0], ef.Adopt)
    assert str(after) in Renderer(language).text(said(effects)[0])


@pytest.mark.parametrize("command", WAYS)
def test_at_the_last_step_nothing_changes_and_that_is_told(command):
    name, direction = WAYS[command]
    last = STEPS[name][-1 if direction > 0 else 0]
    state = new(replace(IN_THE_MIDDLE, voice=replace(USUAL, **{name: last})))
    after, effects = step(state, typed(vocabulary("en").say("command", command)))
    assert after.preferences == state.preferences
    assert adopted(effects) == []
    for language in LANGUAGES:
        assert str(last) in Renderer(language).text(said(effects)[0])


@pytest.mark.parametrize(
    ("field", "name", "ways"),
    [("rates", "rate", ("faster", "slower")), ("pitches", "pitch", ("higher", "lower"))],
)
def test_where_the_voice_of_the_run_can_go_no_further_that_is_told(field, name, ways):
    event = ev.Mannered(
        rate=100, pitch=100, volume=100, verbosity="normal", earcons=(), talk="none", **{field: (85, 112)}
    )
    begun, _ = step(new(), ev.from_json(ev.to_json(event)))
    for way, steps in zip(ways, ([110, 112] if name == "pitch" else [112], [90, 85]), strict=True):
        state = begun
        for value in steps:
            state, effects = step(state, ev.Ordered(command=way))
            assert adopted(effects) == [(name, value)]
        after, effects = step(state, ev.Ordered(command=way))
        assert after.preferences == state.preferences
        assert adopted(effects) == []
        assert said(effects)[0].key == "voice_no_further"
        assert str(steps[-1]) in Renderer("en").text(said(effects)[0])
    beyond = replace(begun.preferences, voice=replace(USUAL, **{name: 150}))  # set for another voice
    state = replace(begun, preferences=beyond)
    _, effects = step(state, ev.Ordered(command=ways[0]))
    assert [message.key for message in said(effects)] == ["voice_no_further"]
    assert "112" in Renderer("en").text(said(effects)[0])
    _, effects = step(state, ev.Ordered(command=ways[1]))
    assert adopted(effects) == [(name, 110 if name == "pitch" else 100)]


@pytest.mark.parametrize("command", [*WAYS, "sounds"])
def test_what_cannot_be_heard_in_this_run_is_kept_and_told_as_such(command):
    manner = {"rate": 100, "pitch": 100, "volume": 50, "verbosity": "normal", "earcons": ()}
    for voiced in (True, False):
        state, _ = step(new(), ev.Mannered(**manner, talk="none", voiced=voiced))
        state, effects = step(state, ev.Ordered(command=command))
        assert adopted(effects)
        told = [message.key for message in said(effects)]
        assert told[1:] == ([] if voiced else ["voice_off"])
    _, effects = step(state, ev.Ordered(command="more_words"))
    assert [message.key for message in said(effects)] == ["voice_words_full"]


def test_sounds_that_are_turned_off_need_no_way_to_be_heard():
    manner = {"rate": 100, "pitch": 100, "volume": 50, "verbosity": "normal", "earcons": earcons.NAMES}
    state, _ = step(new(), ev.Mannered(**manner, talk="none", voiced=False))
    _, effects = step(state, ev.Ordered(command="sounds"))
    assert [message.key for message in said(effects)] == ["earcons_off"]


@pytest.mark.parametrize(("name", "steps"), STEPS.items())
def test_the_steps_can_be_gone_up_and_down_and_lead_through_the_usual_manner(name, steps):
    up, down = (next(c for c, (n, d) in WAYS.items() if (n, d) == (name, way)) for way in (1, -1))
    state = new(replace(IN_THE_MIDDLE, voice=replace(USUAL, **{name: steps[0]})))
    for command, wanted in ((up, steps[1:]), (down, steps[-2::-1])):
        for value in wanted:
            state, _ = step(state, ev.Ordered(command=command))
            assert getattr(state.preferences.voice, name) == value
    assert 100 in steps


def test_the_open_question_is_put_again_and_still_plays_the_move():
    state, _ = step(new(), typed("e4"))
    asked = state.asking
    assert isinstance(asked, Confirm)
    for words in ("faster", "fewer words", "sounds", "language German", "convention letters"):
        state, effects = step(state, typed(words))
        assert state.asking == asked, words
        assert said(effects)[-1].key == "ask_move", words
    state, _ = step(state, typed("ja"))
    assert [move.fact.san for move in state.game.played] == ["e4"]


def test_more_words_and_fewer():
    state = new()
    for words, wanted in (
        ("more words", "full"),
        ("more words", "full"),
        ("fewer words", "normal"),
        ("fewer words", "brief"),
    ):
        state, effects = step(state, typed(words))
        assert state.preferences.verbosity == wanted
        assert said(effects)
    assert adopted(effects) == [("verbosity", "brief")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_fewer_words_are_fewer_more_are_more_and_the_facts_stay(language):
    texts = catalogue(language)
    of_moves = ("{move}", "{move:plain}")
    changed = [key for key in texts if key.startswith(("brief_", "full_"))]
    assert changed
    for key in changed:
        kind, base = key.split("_", 1)
        usual = texts[base]
        assert len(texts[key]) < len(usual) if kind == "brief" else len(texts[key]) > len(usual), key
        # A move that is announced is announced whole, however few the words.
        assert [move for move in of_moves if move in usual] == [
            move for move in of_moves if move in texts[key]
        ]
    told = said(step(new(language=language), typed("e4"))[1])
    moves = {Renderer(language, verbosity=how).text(told[0]).split("?")[0] for how in VERBOSITIES}
    assert len(moves) == 1


def test_a_shorter_sentence_is_shorter_on_all_three_channels():
    state, _ = step(new(), typed("e4"))
    _, effects = step(state, typed("yes"))
    usual, brief = Renderer("en"), Renderer("en", verbosity="brief")
    for message in said(effects):
        assert len(brief.text(message)) < len(usual.text(message))
        assert sum(len(s.text) for s in brief.spans((message,))) < sum(
            len(s.text) for s in usual.spans((message,))
        )
        assert len(brief.parts(message)) < len(usual.parts(message))


# Listening


def test_what_is_said_counts_no_more_until_a_typed_word_or_a_key():
    state, effects = step(new(), spoken("stop listening"))
    assert not state.preferences.listens
    assert said(effects)[0].key == "listening_stopped"
    assert adopted(effects) == [("", "")]  # the next run listens
    for words in ("e4", "yes", "listen", "resign"):
        assert step(state, spoken(words)) == (state, ())
    for event in (typed("listen"), ev.Ordered(command="listen")):
        again, effects = step(state, event)
        assert again.preferences.listens
        assert said(effects)[0].key == "listening_free"
        assert said(step(again, spoken("e4"))[1])[0].key == "ask_move"


def test_typing_goes_on_while_nothing_is_heard():
    state, _ = step(new(), spoken("stop listening"))
    for words in ("e4", "yes"):
        state, _ = step(state, typed(words))
    assert len(state.game.played) == 1


def test_the_way_to_talk_changes_and_begins_to_listen():
    state, _ = step(new(), typed("stop listening"))
    state, effects = step(state, typed("push to talk"))
    assert (state.preferences.talk, state.preferences.listens) == ("push", True)
    assert adopted(effects) == [("talk", "push")]
    state, effects = step(state, typed("hands free"))
    assert state.preferences.talk == "hands-free"
    assert adopted(effects) == [("talk", "hands-free")]


@pytest.mark.parametrize("lost", [None, "microphone_lost", "hearing_lost"])
@pytest.mark.parametrize("words", ["stop listening", "listen", "push to talk", "hands free"])
def test_without_a_microphone_that_is_told_and_nothing_changes(words, lost):
    state = (
        new(replace(IN_THE_MIDDLE, talk="none")) if lost is None else step(new(), ev.DeviceNews(key=lost))[0]
    )
    after, effects = step(state, typed(words))
    assert after.preferences == state.preferences
    assert [message.key for message in said(effects)] == ["listening_nothing"]


# Language and convention


@pytest.mark.parametrize("spoken_by", LANGUAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_changes_in_mid_game(language, spoken_by):
    words = phrasing("fide", spoken_by).example(CommandName.LANGUAGE, language)
    state, effects = step(new(language=spoken_by), typed(words))
    assert state.setup.language == language
    own = vocabulary(language).say("languages", language)
    assert own in Renderer(state.setup.language).text(said(effects)[0])


@pytest.mark.parametrize("spoken_by", LANGUAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_that_is_spoken_is_asked_back_in_the_one_before(language, spoken_by):
    """If it was misheard, the way back would be in its own words."""
    phrases, words = phrasing("fide", spoken_by), vocabulary(spoken_by)
    state, _ = step(new(language=spoken_by), typed("Eva vier"))
    asked, effects = step(state, spoken(phrases.example(CommandName.LANGUAGE, language)))
    if language == spoken_by:
        assert said(effects)[0].key == "language_now"
        return
    assert (asked.setup.language, said(effects)[0].key) == (spoken_by, "ask_language")
    assert words.say("languages", language) in Renderer(spoken_by).text(said(effects)[0])
    no, effects = step(asked, spoken(words.say("answer", "no")))
    assert (no.setup, no.asking, said(effects)[-1].key) == (state.setup, state.asking, "ask_move")
    yes, effects = step(asked, spoken(words.say("answer", "yes")))
    assert (yes.setup.language, yes.asking, effects[0]) == (language, state.asking, ef.Adopt())
    assert [message.key for message in said(effects)] == ["language_now", "ask_move"]


@pytest.mark.parametrize(
    ("says", "language", "asks"),
    [(spoken, "en", "en"), (typed, "en", "en"), (typed, "es", "es"), (spoken, "es", "en")],
)
def test_another_language_settles_the_question_for_the_one_before(says, language, asks):
    phrases = phrasing("fide", "en")
    state, _ = step(new(language="en"), typed("Eva vier"))
    asked, _ = step(state, spoken(phrases.example(CommandName.LANGUAGE, "de")))
    after, effects = step(asked, says(phrases.example(CommandName.LANGUAGE, language)))
    assert after.setup.language == asks
    if asks == language:
        assert (after.asking, said(effects)[-1].key) == (state.asking, "ask_move")
    else:
        assert (after.asking.choice, said(effects)[-1].key) == (language, "ask_language")


@pytest.mark.parametrize("convention", ["fide", "letters", "nato", "mixed"])
def test_the_convention_changes_in_mid_game(convention):
    words = phrasing("fide", "en").example(CommandName.CONVENTION, convention)
    state, effects = step(new(), typed(words))
    assert state.setup.convention == convention
    assert isinstance(effects[0], ef.Adopt)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [CommandName.LANGUAGE, CommandName.CONVENTION])
def test_without_its_choice_the_command_names_all_there_are(language, name):
    words = phrasing("fide", language)
    state, effects = step(new(language=language), typed(words.example(name)))
    assert state.setup == new(language=language).setup
    told = Renderer(language).text(said(effects)[0])
    assert all(words.example(name, choice) in told for choice in choices(name))


def test_a_replay_gives_the_same_language_preferences_and_moves(tmp_path):
    journal = Journal(tmp_path)
    setup = Setup(language="en")
    game = journal.create(setup, "2026-01-01T00:00:00")
    state = State.new(setup)
    happening = (
        ev.Started(),
        ev.Mannered(rate=115, pitch=90, volume=80, verbosity="brief", earcons=("check",), talk="hands-free"),
        *map(
            typed,
            (
                "e4",
                "yes",
                "faster",
                "language German",
                "Eva fünf",
                "ja",
                "Konvention Buchstaben",
                "mehr Worte",
            ),
        ),
        spoken("Mikrofon aus"),
    )
    for number, event in enumerate(happening):
        after, _ = step(state, event)
        journal.append(game, number, event, state, after)
        state = after
    assert (state.setup.language, state.setup.convention) == ("de", "letters")
    assert state.preferences == Preferences(
        Manner(130, 90, 80), "normal", ("check",), "hands-free", listens=False
    )
    assert len(state.game.played) == 2
    assert journal.load(game).state == state
    assert [listed.plies for listed in journal.games()] == [2]
    journal.close()


OLD_ORDERS = [
    *[(f"language_{language}", "language", language) for language in LANGUAGES],
    *[(f"convention_{name}", "convention", name) for name in ("fide", "letters", "nato", "mixed")],
    ("last_move", "last_move", ""),
]


@pytest.mark.parametrize(("old", "command", "choice"), OLD_ORDERS)
def test_a_journal_of_the_first_versions_is_understood(old, command, choice):
    """There each language and each convention was a command of its own."""
    event = ev.from_json(json.dumps({"event": "Ordered", "at": 5, "command": old, "piece": "", "square": ""}))
    assert event == ev.Ordered(at=5, command=command, choice=choice)


def test_a_game_of_the_first_versions_goes_on_in_the_language_that_was_chosen(tmp_path):
    events = (
        {"event": "Started"},
        {"event": "Ordered", "command": "language_de"},
        {"event": "Ordered", "command": "convention_letters"},
    )
    rows = [(json.dumps(event), None, None) for event in events]
    first_version(tmp_path, (json.dumps(Setup(language="en").flat()), rows))
    journal = Journal(tmp_path)
    setup = journal.load(1).state.setup
    assert (setup.language, setup.convention) == ("de", "letters")
    journal.close()


# Earcons


def sounds(state, *events):
    for event in events:
        state, effects = happen(state, event)
    return [
        name for effect in effects if isinstance(effect, ef.Say) for name in earcon_cues.of(effect.messages)
    ]


def test_each_earcon_has_its_occasion():
    edge = ev.Explored(what="edge", square="a1")
    assert sounds(new(), edge) == ["border"]
    assert sounds(new(), typed("e5")) == ["refusal"]
    assert sounds(new(), typed("xyzzy")) == ["refusal"]
    assert sounds(new(), typed("e4"), typed("yes")) == []
    taken = [typed(words) for words in ("e4", "yes", "d5", "yes", "exd5")]
    assert sounds(new(), *taken) == []  # only announced
    assert sounds(new(), *taken, typed("yes")) == ["capture"]
    mate = [typed(words) for words in ("f3", "yes", "e5", "yes", "g4", "yes", "Qh4", "yes")]
    assert sounds(new(), *mate) == ["check"]
    clock = step(new(clock="2", alarms="1m"), ev.SpeechEnded())[0]
    assert sounds(clock, ev.Tick(quiet=True, at=61_000)) == ["low_time"]


def test_the_sounds_are_turned_off_and_on():
    state, effects = step(new(), typed("sounds"))
    assert state.preferences.earcons == ()
    assert adopted(effects) == [("earcons", "none")]
    state, effects = step(state, typed("sounds"))
    assert state.preferences.earcons == earcons.NAMES
    assert adopted(effects) == [("earcons", "all")]


HAPPENING = st.one_of(
    st.builds(
        typed, st.sampled_from(["e4", "e5", "Nf3", "d5", "exd5", "yes", "no", "draw", "clock", "claim flag"])
    ),
    st.builds(lambda quiet: ev.Tick(quiet=quiet), st.booleans()),
    st.builds(lambda square: ev.Explored(what="edge", square=square), st.sampled_from(["a1", "h8"])),
    st.just(ev.SpeechEnded()),
)


@given(
    st.booleans(),
    st.sampled_from(["fide-2009", "fide-2018"]),
    st.lists(st.tuples(HAPPENING, st.integers(0, 40_000)), max_size=20),
)
def test_no_message_is_only_a_sound(supervised, laws, happening):
    """Earcons are taken from sentences, and a flag that falls is told with the sound that it makes."""
    state, now = new(clock="1", alarms="30s", supervised=supervised, laws=laws), 0
    for event, passed in happening:
        now += passed
        state, effects = happen(state, replace(event, at=now))
        if any(isinstance(effect, ef.FlagFell) for effect in effects):
            told = said(effects)
            assert told
            for language in LANGUAGES:
                assert all(Renderer(language).text(message) for message in told)


def test_a_flag_that_only_the_players_may_claim_is_told_to_nobody_and_the_question_stays_open():
    state = step(new(clock="1", laws="fide-2009", supervised=False), ev.SpeechEnded())[0]
    state, _ = step(state, replace(typed("e4"), at=100))
    state, effects = happen(state, ev.Tick(at=MINUTE))
    assert effects == ()
    assert isinstance(state.asking, Confirm)


def test_every_preference_has_a_command_in_every_language():
    for command in (
        *WAYS,
        "more_words",
        "fewer_words",
        "sounds",
        "hands_free",
        "push_to_talk",
        "stop_listening",
        "listen",
    ):
        for language in LANGUAGES:
            assert vocabulary(language).phrases["command"][CommandName(command)]
