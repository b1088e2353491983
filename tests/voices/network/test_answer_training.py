# SPDX-License-Identifier: GPL-3.0-or-later
"""The training of the network that hears answers: what is drawn for it, and that the ear reads what it writes."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is installed by `make network` alone")
pytest.importorskip("onnx", reason="onnx is installed by `make network` alone")

from voices.network import train_answers as training  # noqa: E402
from voices.network.answers import AnswerEar, classes, phrase  # noqa: E402
from voices.network.corpus import Corpus, LabelledRecording, Recipe  # noqa: E402
from voices.network.evaluate_answers import counted, yeses  # noqa: E402
from voices.network.features import BANDS  # noqa: E402
from voices.network.model import WIDTH as HIDDEN_WIDTH  # noqa: E402
from voices.network.sentences import ANSWER_KINDS, DENIAL_KINDS  # noqa: E402
from voices.network.stages import Training  # noqa: E402
from voices.network.tokens import FILLER  # noqa: E402
from voices.sound.source import RATE  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def spoken(tokens: tuple[str, ...], kind: str, seed: int) -> LabelledRecording:
    sound = np.random.default_rng(seed).normal(scale=3000, size=RATE // 2).astype(np.int16)
    return LabelledRecording(sound, tokens, kind, "somebody")


def test_the_ear_reads_what_the_network_says_for_any_length(tmp_path) -> None:
    torch.manual_seed(1)
    listening = {one.network: one for one in training.listening()}
    hearing = [training.hidden_listener() for _ in listening]
    network = training.AnswerNetwork(training.sound_listener(), hearing).eval()
    training.export(network, tmp_path / "answers.onnx")
    ear = AnswerEar(tmp_path / "answers.onnx")
    assert ear.phrases == [phrase(tokens) for tokens in classes()]
    assert ear.listens_to == [*listening]
    for length in (8, 57, 130):
        bands = np.random.default_rng(length).normal(size=(length, BANDS)).astype(np.float32)
        hidden = {name: one.listened(bands).hidden for name, one in listening.items()}
        given = [torch.from_numpy(one[None]) for one in (bands, *hidden.values())]
        with torch.no_grad():
            each = [said[0].exp().numpy() for said in network.each(*given)]
        together = np.prod(each, axis=0) ** (1 / len(each))
        shares = together / together.sum()
        whole: dict[str, float] = {}
        for words, share in zip(ear.phrases, shares, strict=True):
            whole[words] = whole.get(words, 0.0) + float(share)
        assert ear.heard([(bands, hidden)], set(ear.phrases)) == pytest.approx(
            {words: math.log(share) for words, share in whole.items()}, abs=0.02
        )


def test_answers_by_voices_and_people_are_drawn_and_all_else_is_none(monkeypatch) -> None:
    monkeypatch.setattr(training, "_POOL", 2)
    answer = classes()[1]
    voices = Corpus([spoken(answer, "wording", 1), spoken((FILLER,), "garbage", 2)])
    people = Corpus([
        spoken((FILLER,), "talk", 3), spoken(answer, "joined", 4), spoken((*answer, FILLER), "joined", 5),
    ])  # fmt: skip
    batches = training.AnswerRoom(voices, 1, people).answers(0)
    assert len(batches) == 2
    for one in batches:
        assert one.bands.shape[0] == len(one.right)
        assert not one.hidden
        assert set(one.right.tolist()) == {0, 1}


def test_denials_by_all_kinds_of_voices_are_made_once(tmp_path, monkeypatch) -> None:
    made: list[tuple[str, object]] = []

    def make(recipe: Recipe, _parts) -> Corpus:
        made.append((recipe.engine, recipe.kinds))
        return Corpus([spoken((FILLER,), recipe.engine, 1)])

    def join(people: Corpus, _count: int, _seed: int, **how: object) -> Corpus:
        made.append((people.spoken[0].kind, how["kinds"]))
        return Corpus([spoken((FILLER,), "joined", 2)])

    monkeypatch.setattr(Recipe, "made", make)
    monkeypatch.setattr(training, "joined", join)
    Corpus([spoken((FILLER,), "talk", 3)]).save(tmp_path / "people.npz")
    for _ in range(2):
        voices, people = training.recordings(tmp_path)
        assert [one.kind for one in voices.spoken] == ["", "", "kokoro", "kokoro", "kokoro", "kokoro"]
        assert [one.kind for one in people.spoken] == ["talk", "joined"]
    assert sorted(name for name, kinds in made if kinds == DENIAL_KINDS) == ["", "kokoro", "talk"]
    assert sorted(name for name, kinds in made if kinds == ANSWER_KINDS) == ["", "kokoro"]


def test_half_of_the_babble_is_of_peoples_talk() -> None:
    """Whose babble it is tells the band in which all of it lies."""

    def humming(tokens: tuple[str, ...], kind: str, hz: float) -> LabelledRecording:
        sound = 9000 * np.sin(2 * np.pi * hz * np.arange(RATE) / RATE)
        return LabelledRecording(sound.astype(np.int16), tokens, kind, "somebody")

    voices = Corpus([humming(classes()[1], "wording", 300)])
    people = Corpus([humming((FILLER,), "talk", 3000), humming(classes()[1], "joined", 1000)])
    tracks = training.AnswerRoom(voices, 1, people)._noises["babble"]
    spectra = np.abs(np.fft.rfft(np.array(tracks)))
    loudest = spectra.argmax(axis=1) * RATE / tracks[0].size
    assert sorted(np.round(loudest / 100).astype(int)) == [3] * (len(tracks) // 2) + [30] * (len(tracks) // 2)


def test_what_the_large_networks_make_of_each_is_drawn_with_it(monkeypatch) -> None:
    monkeypatch.setattr(training, "_POOL", 1)
    voices = Corpus([spoken(classes()[1], "wording", 1), spoken((FILLER,), "garbage", 2)])
    people = Corpus(
        [spoken((FILLER,), "talk", 3), spoken(classes()[2], "joined", 4), spoken((FILLER,), "joined", 5)]
    )
    listening = training.listening()
    (one,) = training.AnswerRoom(voices, 1, people, listening).answers(0)
    longest = max(range(len(one.right)), key=lambda at: int(one.bands[at].any(dim=1).sum()))
    for ear, hidden in zip(listening, one.hidden, strict=True):
        expected = ear.listened(one.bands[longest].numpy()).hidden
        assert hidden[longest].numpy() == pytest.approx(expected, abs=1e-4)


def test_the_last_stage_goes_on_from_where_it_was(tmp_path, monkeypatch) -> None:
    class PlayedRoom:
        """Draws at once what the real one draws with much work: pools of two batches."""

        def __init__(self, *_: object) -> None:
            pass

        def answers(self, number: int):
            chance = np.random.default_rng(number)
            bands = torch.from_numpy(chance.normal(size=(4, 60, BANDS)).astype(np.float32))
            hidden = torch.from_numpy(chance.normal(size=(4, 15, HIDDEN_WIDTH)).astype(np.float32))
            heard = [hidden for _ in training.listening()]
            return [training.AnswerBatch(bands, torch.tensor([0, 1, 2, 3]), heard)] * 2

    monkeypatch.setattr(training, "AnswerRoom", PlayedRoom)
    monkeypatch.setattr(training, "_STAGE", 1)
    nothing = Corpus([]), Corpus([])
    whole = training.train(nothing, (4, 4), 1, tmp_path / "whole.pt")
    save, saved = Training._save, []

    def save_and_break(self, path) -> None:
        save(self, path)
        saved.append(torch.load(path)[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "_save", save_and_break)
    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            training.train(nothing, (4, 4), 1, tmp_path / "broken.pt")
    monkeypatch.setattr(Training, "_save", save)
    assert saved == [2, 4, 2, 4]
    torch.manual_seed(2)
    resumed = training.train(nothing, (4, 4), 1, tmp_path / "broken.pt")
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)


class Says:
    """Holds so much of it for a yes, half of it for each of two, and the rest for a no."""

    phrases, listens_to = ("", "ja", "nein", "sim"), ()

    def __init__(self, yes: float) -> None:
        self._heard = {"ja": math.log(yes / 2), "sim": math.log(yes / 2), "nein": math.log(1 - yes)}

    def heard(self, *_: object) -> dict[str, float]:
        return self._heard


def test_a_yes_and_what_is_none_are_counted_apart() -> None:
    assert {"ja", "sim", "isso mesmo", "thats right"} <= yeses()
    assert not yeses() & {"nein", "nao", "no", ""}
    no = next(tokens for tokens in classes() if phrase(tokens) == "nein")
    corpus = Corpus(
        [spoken(no, "wording", 1), spoken((FILLER,), "garbage", 2), spoken(("de:ja",), "wording", 3)]
    )
    for noise, yes, sure in (("", 0.95, 1), ("babble", 0.95, 1), ("", 0.85, 0)):
        found = counted(Says(yes), corpus, noise, yeses())  # type: ignore[arg-type]
        assert found == {"yes": 1, "yes sure": sure, "other": 2, "other sure": 2 * sure}
