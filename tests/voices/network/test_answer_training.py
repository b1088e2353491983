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
from voices.network.corpus import Corpus, LabelledRecording  # noqa: E402
from voices.network.features import BANDS  # noqa: E402
from voices.network.stages import Training  # noqa: E402
from voices.network.tokens import FILLER  # noqa: E402
from voices.sound.source import RATE  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def spoken(tokens: tuple[str, ...], kind: str, seed: int) -> LabelledRecording:
    sound = np.random.default_rng(seed).normal(scale=3000, size=RATE // 2).astype(np.int16)
    return LabelledRecording(sound, tokens, kind, "somebody")


def test_the_ear_reads_what_the_network_says_for_any_length(tmp_path) -> None:
    torch.manual_seed(1)
    network = training.AnswerNetwork().eval()
    training.export(network, tmp_path / "answers.onnx")
    ear = AnswerEar(tmp_path / "answers.onnx")
    assert ear.phrases == [phrase(tokens) for tokens in classes()]
    for length in (8, 57, 130):
        bands = np.random.default_rng(length).normal(size=(length, BANDS)).astype(np.float32)
        with torch.no_grad():
            shares = network(torch.from_numpy(bands[None]))[0].exp().numpy()
        whole: dict[str, float] = {}
        for words, share in zip(ear.phrases, shares, strict=True):
            whole[words] = whole.get(words, 0.0) + float(share)
        assert ear.heard(bands, set(ear.phrases)) == pytest.approx(
            {words: math.log(share) for words, share in whole.items()}, abs=0.02
        )


def test_answers_by_voices_and_people_are_drawn_and_all_else_is_none(monkeypatch) -> None:
    monkeypatch.setattr(training, "_POOL", 2)
    answer = classes()[1]
    voices = Corpus([spoken(answer, "wording", 1), spoken((FILLER,), "garbage", 2)])
    people = Corpus([
        spoken((FILLER,), "talk", 3), spoken(answer, "joined", 4), spoken((*answer, FILLER), "joined", 5),
    ])  # fmt: skip
    batches = list(training.AnswerRoom(voices, 1, people).drawn(2))
    assert len(batches) == 2
    for one in batches:
        assert one.bands.shape[0] == len(one.right)
        assert set(one.right.tolist()) == {0, 1}


def test_the_last_stage_goes_on_from_where_it_was(tmp_path, monkeypatch) -> None:
    def drawn(*_: object):
        chance = np.random.default_rng(1)
        bands = torch.from_numpy(chance.normal(size=(4, 60, BANDS)).astype(np.float32))
        while True:
            yield training.AnswerBatch(bands, torch.tensor([0, 1, 2, 3]))

    class PlayedRoom:
        """Draws at once what the real one draws with much work."""

        def __init__(self, *_: object) -> None:
            pass

        def drawn(self, count: int):
            return (one for _, one in zip(range(count), drawn(), strict=False))

    monkeypatch.setattr(training, "AnswerRoom", PlayedRoom)
    monkeypatch.setattr(training, "_STAGE", 2)
    nothing = Corpus([]), Corpus([])
    whole = training.train(nothing, 4, 1, tmp_path / "whole.pt")
    save = Training._save

    def save_and_break(self, path) -> None:
        save(self, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "_save", save_and_break)
    with pytest.raises(KeyboardInterrupt):
        training.train(nothing, 4, 1, tmp_path / "broken.pt")
    monkeypatch.setattr(Training, "_save", save)
    assert torch.load(tmp_path / "broken.pt")[0] == 2
    torch.manual_seed(2)
    resumed = training.train(nothing, 4, 1, tmp_path / "broken.pt")
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)
