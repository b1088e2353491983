# SPDX-License-Identifier: GPL-3.0-or-later
"""The enrolment by the installed program: a synthetic speaker, the real recogniser, a recording as microphone."""

import json
import signal
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
import soundfile
from support.program import Running, run, script
from support.pulse import PrivatePulse
from support.terminal import Player

from acessivel.app import enrolment
from acessivel.app.enrolment_prompts import prompts
from acessivel.commands import enrol
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.grammar import grammar
from voices.hearing.learnt import Learnt
from voices.hearing.profile import Profile, parse
from voices.sound.tape import encoded
from voices.speakers import Span
from voices.speakers.synthesis import synthesise
from voices.words.phrasing import phrasing

RATE = 22_050
HEARD = ("--hear", "pocketsphinx", "--speak", "off", "--braille", "off")
GAP_S = 2.4  # ends also what is not complete


def silence(seconds):
    return np.zeros(round(seconds * RATE), dtype="float32")


def said(language, round_, asked=prompts):
    """What the speaker is to say in a round, as it is spelled."""
    aloud = phrasing("fide", language)
    return [
        one.said.text if isinstance(one.said, Span) else aloud.move(one.said, spoken=True)
        for one in asked("fide", language, round_)
    ]


def speaker(folder, texts, voice="de"):
    """A recording in a room of -60 dBFS: two seconds of silence, then the texts."""
    pieces = [silence(2.1)]
    for text in texts:
        file = folder / "one.wav"
        synthesise(text, file, voice)
        sound, rate = soundfile.read(file, dtype="float32")
        assert rate == RATE
        pieces += [sound, silence(GAP_S)]
    recording = folder / "speaker.wav"
    sound = np.concatenate(pieces)
    room = np.random.default_rng(1).standard_normal(sound.size) / 1000
    soundfile.write(recording, sound + room, RATE)
    return recording


def few(*which):
    """The last prompts of a round, yes and no among them."""
    return prompts(*which)[-6:]


def shorten(patch):
    """Let rounds have a few prompts: what is learnt at the end takes its time for each of them."""
    patch.setattr(enrol, "prompts", few)
    patch.setattr(enrolment, "prompts", few)


@pytest.fixture
def short(monkeypatch):
    shorten(monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A home in which a speaker has been enrolled, with what was said, and with what fits him."""
    home, made = tmp_path_factory.mktemp("home"), []
    recording = speaker(home, [*said("de", 1, few), *said("de", 2, few)])
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch)
        patch.setattr(enrol, "fit", lambda *g, fit=enrol.fit, **how: made.append(fit(*g, **how)) or made[0])
        lines, errors = run(
            home, "enrol", "--profile", "ana", "--microphone", recording, "--language", "de", "--save", home / "games",
            *HEARD, "--braille", "terminal",
        )  # fmt: skip
    assert errors == []
    return home, lines, made[0]


@pytest.fixture
def enrolled(whole):
    return whole[:2]


@pytest.fixture
def fitted(whole, monkeypatch):
    """What fits a speaker is known already: to find it out takes most of the time of an enrolment.

    Gives whether the network was to learn, each time.
    """
    made, learnt = whole[2], []

    def fit(_, known, *__, learns):
        learnt.append(learns)
        return replace(made, profile=replace(made.profile, name=known.name))

    monkeypatch.setattr(enrol, "fit", fit)
    return learnt


def test_the_speaker_is_led_through_it_by_voice_screen_and_braille(enrolled):
    home, lines = enrolled
    asked = [line.removeprefix("Sagen Sie: ") for line in lines if line.startswith("Sagen Sie: ")]
    assert asked == [*said("de", 1, few), *said("de", 2, few)]
    assert any(line and all("\u2800" <= sign <= "\u28ff" for sign in line) for line in lines)
    assert any(line.startswith("Von 6 Ihrer Ansagen der zweiten Runde") for line in lines)
    told = next(
        line for line in lines if line.startswith("Das Profil ist gespeichert. So spielen Sie damit: ")
    )
    assert told.endswith(f"acessivel play --profile ana --save {home}/games")


def test_the_profile_has_the_room_and_what_fits_and_no_sound_is_kept(enrolled):
    home, _ = enrolled
    made = parse("ana", (home / "games/profiles/ana.toml").read_text("utf-8"))
    assert -64 < made.noise_db < -56
    assert 0.5 <= made.yes < 1
    general = grammar.pronunciations("fide", "de")
    assert all(set(sounds) <= set(general[word]) for word, sounds in made.pronunciations.items())
    assert [file.name for file in (home / "games").rglob("*") if file.is_file()] == ["ana.toml"]
    assert not [file for file in home.rglob("*.wav") if file.name not in ("speaker.wav", "one.wav")]


def listened(home, recording, profile):
    """How a recording is read with a profile: the outcome, and each reading with its probability."""
    (home / "cases.json").write_text(json.dumps([{"file": str(recording)}]))
    options = ("--cases", home / "cases.json", "--with", "pocketsphinx", "--language", "de", "--json")
    lines, errors = run(home, "hear", *options, "--save", home / "games", "--profile", profile)
    assert errors == []
    found = json.loads(lines[0])
    return found["outcome"], found["readings"]


def test_a_profile_is_used_for_hearing(enrolled, tmp_path):
    home, _ = enrolled
    synthesise("Bauer Eva zwei Eva vier", tmp_path / "e4.wav", "de")
    synthesise("ja", tmp_path / "ja.wav", "de")
    outcome, readings = listened(home, tmp_path / "e4.wav", "ana")
    assert (outcome, readings[0]["moves"]) == ("move", ["e2e4"])
    # Sounds that do not fit are heard worse, and a yes that would have to be certain is not taken for one.
    other = 'made = 2026-11-21\nnoise_db = -60.0\nyes = 1.0\n[pronunciations]\neva = ["IH B AH"]\n'
    (home / "games/profiles/other.toml").write_text(other)
    assert listened(home, tmp_path / "e4.wav", "other")[1] != listened(home, tmp_path / "e4.wav", "none")[1]
    assert listened(home, tmp_path / "ja.wav", "none")[0] == "answer"
    assert listened(home, tmp_path / "ja.wav", "other")[0] == "not-understood"
    (home / "games/profiles/other.toml").unlink()


def test_a_game_is_played_with_a_profile_and_one_that_is_not_there_is_refused(enrolled):
    home, _ = enrolled
    options = ("--opponent", "human", "--hear", "keyboard", "--speak", "off", "--braille", "off")
    options = (*options, "--language", "en", "--save", home / "games", "--profile")
    lines, errors = run(home, "play", *options, "ana", typed=script("Eva vier", "yes"))
    assert errors == []
    assert "1, White: Bauer Eva zwei Eva vier." in lines
    lines, errors = run(home, "play", *options, "bob", status=2)
    assert lines == []
    (why,) = errors
    assert why.startswith("There is no profile called bob; there are: ana. To make one: ")
    assert why.endswith(f"acessivel enrol --save {home}/games --profile NAME")


@pytest.fixture
def broken(tmp_path):
    """The options of a profile that cannot be read, and what is told of it."""
    file = tmp_path / "games/profiles/ana.toml"
    file.parent.mkdir(parents=True)
    file.write_text("made = 2026-11-21\nnoise_db = 12\nyes = 0.9\n[pronunciations]\n")
    told = f"Não é possível usar o perfil {file}: ele tem um erro aqui: noise_db. Para criar outra vez: "
    return ("--profile", "ana", "--save", tmp_path / "games"), told


def test_nothing_is_measured_with_a_broken_profile(tmp_path, broken):
    options, told = broken
    lines, errors = run(tmp_path, "hear", "x.wav", *options, status=2)
    assert lines == []
    (why,) = errors
    assert why.startswith(told)
    assert why.endswith(f"acessivel profile reset --profile ana --save {tmp_path}/games")


def test_a_broken_profile_stops_no_game_and_is_told_to_who_is_heard(tmp_path, broken):
    options, told = broken
    (tmp_path / "silence.wav").write_bytes(encoded(bytes(32_000), "wav"))
    options = (*options, "--opponent", "human", "--speak", "off", "--braille", "off")
    typed = script("Eva vier", "sim")
    lines, errors = run(tmp_path, "play", *options, "--hear", "keyboard", typed=typed)
    assert errors == []
    assert "1, Brancas: Bauer Eva zwei Eva vier." in lines
    assert not any(line.startswith(told) for line in lines)
    lines, errors = run(
        tmp_path,
        "play",
        *options,
        "--hear",
        "pocketsphinx",
        "--microphone",
        tmp_path / "silence.wav",
        typed=typed,
    )
    assert errors == []
    assert "1, Brancas: Bauer Eva zwei Eva vier." in lines
    assert any(line.startswith(told) for line in lines)


def test_leaving_in_the_middle_keeps_nothing(tmp_path):
    recording = speaker(tmp_path, ["sim", *said("pt", 1)[:4]])
    audio = tmp_path / "audio"
    options = ("--microphone", recording, "--save", tmp_path / "games", "--keep-audio", audio, *HEARD)
    lines, errors = run(tmp_path, "enrol", *options, status=1)
    assert errors == []
    assert lines[-2:] == [
        "Não há mais som na gravação.",
        "O cadastro da voz terminou. Nada dele fica guardado.",
    ]
    assert list((tmp_path / "games/profiles").iterdir()) == []
    assert list(audio.iterdir()) == []


@pytest.mark.usefixtures("short")
def test_the_recordings_are_kept_when_that_is_wanted_and_agreed_to(tmp_path, fitted):
    recording = speaker(tmp_path, ["ja", *said("de", 1, few), *said("de", 2, few)], "de+f3")
    options = ("--microphone", recording, "--language", "de", "--save", tmp_path / "games", *HEARD)
    audio = tmp_path / "audio"
    lines, errors = run(tmp_path, "enrol", *options, "--keep-audio", audio, "--learn", "on")
    assert errors == []
    assert fitted == [True]
    asked = next(
        line for line in lines if line.startswith("Antworten Sie mit ja oder nein: Dürfen die Aufnahmen")
    )
    assert str(audio) in asked
    assert lines[lines.index(asked) + 1] == "Die Aufnahmen bleiben erhalten."
    names = {
        f"{one}-{prompt.words.replace(' ', '-')}.wav" for one in (1, 2) for prompt in few("fide", "de", one)
    }
    kept = {file.name for file in audio.glob("*.wav")}
    assert kept <= names
    assert len(kept) > len(names) / 2
    assert soundfile.info(audio / "1-ja.wav").samplerate == 16_000
    assert (tmp_path / "games/profiles/default.toml").is_file()
    assert audio.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in audio.iterdir()} == {0o600}
    cases = json.loads((audio / "cases.json").read_text("utf-8"))
    assert {case["file"] for case in cases} == kept
    assert {"file": "1-ja.wav", "words": "ja", "language": "de", "convention": "fide"} in cases
    assert all(case["file"] == f"{case['file'][0]}-{case['words'].replace(' ', '-')}.wav" for case in cases)
    (audio / "some.json").write_text(json.dumps(cases[:3]))
    heard, errors = run(
        tmp_path, "hear", "--cases", audio / "some.json", "--language", "de", "--with", "pocketsphinx"
    )
    assert errors == []
    assert [line.split(": ")[0] for line in heard] == [case["file"] for case in cases[:3]]
    # The next speaker has a folder of his own.
    lines, errors = run(tmp_path, "enrol", *options, "--keep-audio", audio, status=2)
    assert lines == []
    assert errors == [f"In {audio} liegen schon Aufnahmen eines Sprechers: Nennen Sie einen anderen Ordner."]


@pytest.mark.usefixtures("short")
def test_who_does_not_agree_is_enrolled_and_nothing_is_kept_that_has_the_voice(tmp_path, fitted):
    recording = speaker(tmp_path, ["nein", *said("de", 1, few), *said("de", 2, few)], "de+f3")
    options = ("--microphone", recording, "--language", "de", "--save", tmp_path / "games", *HEARD)
    lines, errors = run(tmp_path, "enrol", *options, "--keep-audio", tmp_path / "audio", "--learn", "on")
    assert errors == []
    assert fitted == [False]
    (told,) = (line for line in lines if line.startswith("Keine Aufnahme bleibt erhalten."))
    assert "nur, welche Aussprachen" in told
    assert list((tmp_path / "audio").iterdir()) == []
    assert (tmp_path / "games/profiles/default.toml").is_file()


@pytest.mark.parametrize(
    ("typed", "told"),
    [("yes", "The recordings will be kept."), ("n", "No recording will be kept.")],
)
def test_the_question_can_be_answered_in_writing(tmp_path, typed, told):
    options = ("--language", "en", "--save", tmp_path / "games", "--keep-audio", tmp_path / "audio", *HEARD)
    with PrivatePulse() as server:
        env = {name: server.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        with Running(tmp_path, "enrol", *options, **env) as program:
            program.wait_for("Answer yes or no: may the recordings")
            program.type("perhaps")
            program.type(typed)
            program.wait_for(told)
            program.wait_for("Say: Springer Anna eins")
            program.type("stop")
            program.close(status=0)
    assert list((tmp_path / "audio").iterdir()) == []


def test_a_word_typed_ends_it(tmp_path):
    recording = speaker(tmp_path, said("pt", 1)[:2])
    options = ("--microphone", recording, "--save", tmp_path / "games", *HEARD)
    lines, errors = run(tmp_path, "enrol", *options, typed=script("parar"))
    assert errors == []
    assert lines[-1] == "O cadastro da voz terminou. Nada dele fica guardado."
    assert list((tmp_path / "games/profiles").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "language", "sentence"),
    [
        (
            ("--profile", "../x"),
            "en",
            "A profile cannot be called ../x: use letters, digits, - and _, and not the word none.",
        ),
        (("--profile", "none"), "de", "Ein Profil kann nicht none heißen:"),
        (("--from", "cases.json", "--keep-audio", "x"), "pt", "Não é possível pedir assim: --keep-audio."),
        (("--microphone", "absent.wav"), "es", "absent.wav"),
    ],
)
def test_what_cannot_begin_is_said_in_one_sentence(tmp_path, options, language, sentence):
    lines, errors = run(tmp_path, "enrol", *options, "--language", language, *HEARD, status=2)
    assert lines == []
    assert len(errors) == 1
    assert sentence in errors[0]


def test_without_a_microphone_nothing_is_asked(tmp_path):
    options = ("--microphone", "absent.wav", "--language", "en", "--save", tmp_path / "games", *HEARD)
    seen, status = Player(tmp_path, "enrol", *options).read_to_end()
    assert status == 2
    assert "absent.wav" in seen
    assert "may I learn" not in seen


@pytest.mark.parametrize("keys", ["stop\n", "\x04"])
def test_who_leaves_when_asked_whether_it_may_learn_is_not_recorded(tmp_path, keys):
    recording = speaker(tmp_path, said("en", 1)[:2])
    options = ("--microphone", recording, "--language", "en", "--save", tmp_path / "games", *HEARD)
    player = Player(tmp_path, "enrol", *options)
    player.press("", "may I learn how you speak")
    player.press(keys, "I learn nothing for now.")
    seen, status = player.read_to_end()
    assert status == 0
    assert "please be silent" not in seen


@pytest.mark.parametrize("way", ["typed", "ctrl-c"])
def test_at_a_real_microphone_it_can_be_left_while_it_listens(tmp_path, way):
    options = ("enrol", "--language", "en", "--save", tmp_path / "games", *HEARD)
    with PrivatePulse() as server:
        env = {name: server.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        with Running(tmp_path, *options, **env) as program:
            program.wait_for("Say: Springer Anna eins")
            if way == "typed":
                program.type("e4")
                program.type("stop")
            else:
                program.process.send_signal(signal.SIGINT)
            program.wait_for("The enrolment is over. Nothing is kept.")
            program.close(status=0)
    assert list((tmp_path / "games/profiles").iterdir()) == []


CASES = (("e2e4", "Eva vier"), ("d2d4", "David vier"))


@pytest.fixture
def labelled(tmp_path):
    """A file of cases as clubs write it (docs/recording.md): each move three times, a yes in words, other talk."""
    cases = []
    for uci, text in CASES:
        for pitch in (30, 50, 70):
            synthesise(text, tmp_path / f"{uci}-{pitch}.wav", "de", pitch=pitch)
            cases.append({"file": f"{uci}-{pitch}.wav", "uci": uci})
    for name, text, words in (("ja", "ja", "Ja"), ("29", "Das Wetter ist schön.", "")):
        synthesise(text, tmp_path / f"{name}.wav", "de")
        cases.append({"file": f"{name}.wav", "words": words})
    of_each = {"language": "de", "convention": "fide"}
    (tmp_path / "cases.json").write_text(json.dumps([one | of_each for one in cases]))
    return tmp_path / "cases.json"


def test_a_copy_of_a_recording_judges_nothing(tmp_path, labelled):
    """What is heard before and after would be that of what was learnt."""
    one = json.loads(labelled.read_text("utf-8"))[0]
    labelled.write_text(json.dumps([one] * 8))
    options = ("--profile", "ana", "--language", "de", "--save", tmp_path / "games")
    lines, errors = run(tmp_path, "enrol", "--from", labelled, *options, status=2)
    assert (lines, len(errors)) == ([], 1)
    assert "1" in errors[0]


def test_recordings_of_which_the_words_are_known_teach_without_a_session(tmp_path, labelled):
    options = ("--profile", "ana", "--language", "de", "--save", tmp_path / "games")
    lines, errors = run(tmp_path, "enrol", "--from", labelled, *options)
    assert errors == []
    assert lines[0].startswith("Von 1 Aufnahme, aus der ich nicht gelernt hatte")
    assert lines[-1].startswith("Das Profil ist gespeichert. So spielen Sie damit: ")
    assert lines[-1].endswith(f"acessivel play --profile ana --save {tmp_path}/games")
    files = {file.name: file for file in (tmp_path / "games/profiles").iterdir()}
    assert set(files) == {"ana.toml", "ana.npz"}
    assert {file.stat().st_mode & 0o777 for file in files.values()} == {0o600}
    learnt = Learnt.read(files["ana.npz"].read_bytes())
    assert [one.words for one in learnt.samples][:4] == ["eva vier"] * 3 + ["david vier"]
    assert learnt.samples[-1].words == "ja"
    (tmp_path / "first.json").write_text(json.dumps(json.loads(labelled.read_text("utf-8"))[:1]))
    heard, errors = run(tmp_path, "hear", "--cases", tmp_path / "first.json", *options)
    assert errors == []
    assert heard == ["e2e4-30.wav: Zug: Bauer Eva zwei Eva vier e2e4"]
    lines, errors = run(tmp_path, "enrol", "--from", labelled, *options, status=2)
    assert (lines, len(errors)) == ([], 1)
    assert errors[0].startswith(f"Aus allen Aufnahmen in {labelled} habe ich schon gelernt")
    assert Learnt.read(files["ana.npz"].read_bytes()) == learnt


def fewest(labelled):
    """Only as many recordings as are needed, of both moves."""
    cases = json.loads(labelled.read_text("utf-8"))
    labelled.write_text(json.dumps([cases[at] for at in (0, 1, 3, 4)]))


def test_what_was_fitted_before_stays_where_nothing_is_better(tmp_path, labelled):
    fewest(labelled)
    known = Profile("ana", date(2026, 1, 2), -50.0, 0.93, {"gustav": ("G UH S T AH F",)})
    profiles.store(Settings(save=str(tmp_path / "games")), known)
    options = ("--profile", "ana", "--language", "de", "--save", tmp_path / "games")
    lines, errors = run(tmp_path, "enrol", "--from", labelled, *options)
    assert errors == []
    assert "Das ist nicht besser, also höre ich weiter wie bisher." in lines
    made = parse("ana", (tmp_path / "games/profiles/ana.toml").read_text("utf-8"))
    assert (made.pronunciations, made.yes) == (known.pronunciations, known.yes)


def test_who_wants_nothing_to_be_learnt_gets_the_pronunciations_alone(tmp_path, labelled):
    fewest(labelled)
    options = ("--language", "de", "--save", tmp_path / "games", "--learn", "off")
    _, errors = run(tmp_path, "enrol", "--from", labelled, *options)
    assert errors == []
    assert [file.name for file in (tmp_path / "games/profiles").iterdir()] == ["default.toml"]


def test_too_few_recordings_to_judge_by_teach_nothing(tmp_path, labelled):
    some = [{"file": one["file"], "uci": one["uci"]} for one in json.loads(labelled.read_text())[:3]]
    labelled.write_text(json.dumps(some))
    options = ("--language", "en", "--save", tmp_path / "games")
    lines, errors = run(tmp_path, "enrol", "--from", labelled, *options, status=2)
    assert lines == []
    assert "has only 3 recordings to learn from: at least 4 are needed" in errors[0]
    assert not list((tmp_path / "games/profiles").iterdir())


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({}, "it does not say what was said"),
        ({"uci": "e2e5"}, "e2e5 is not a legal move in its position"),
        ({"words": "xyzzy"}, "in this convention nobody says xyzzy"),
        ({"words": ""}, "it does not say what was said"),
        ({"words": "ja", "file": "silence.wav"}, "nobody speaks in silence.wav. Record it again"),
    ],
)
def test_recordings_of_which_the_words_are_not_known_teach_nothing(tmp_path, labelled, entry, why):
    cases = json.loads(labelled.read_text())
    (tmp_path / "silence.wav").write_bytes(encoded(bytes(32_000), "wav"))
    labelled.write_text(json.dumps([{"file": cases[0]["file"]} | entry]))
    lines, errors = run(
        tmp_path, "enrol", "--from", labelled, "--language", "en", "--save", tmp_path / "games", status=2
    )
    assert lines == []
    assert f"entry 1: {why}" in errors[0]
    assert not list((tmp_path / "games/profiles").iterdir())
