# SPDX-License-Identifier: GPL-3.0-or-later
"""The training: what an exported network goes on from, and that an interruption changes nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is installed by `make network` alone")
onnx = pytest.importorskip("onnx", reason="onnx is installed by `make network` alone")

from voices.network import examples  # noqa: E402
from voices.network import model as networks  # noqa: E402
from voices.network import train as training  # noqa: E402
from voices.network.average import average  # noqa: E402
from voices.network.corpus import Corpus, LabelledRecording  # noqa: E402
from voices.network.ear import Ear  # noqa: E402
from voices.network.examples import Example, Room, SoundNumbers, batch  # noqa: E402
from voices.network.features import BANDS, features  # noqa: E402
from voices.network.model import Network, export, grown  # noqa: E402
from voices.network.packed import packed  # noqa: E402
from voices.network.stages import Machine, Training  # noqa: E402
from voices.network.tokens import FILLER, outputs  # noqa: E402
from voices.sound.source import RATE  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
NAMES = outputs()


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is tried here depends on how wide a network is, and a wide one takes its time."""
    monkeypatch.setattr(networks, "WIDTH", 64)


def bands(count: int = 3) -> list:
    chance = np.random.default_rng(1)
    return [torch.from_numpy(chance.normal(size=(4, 120, BANDS)).astype(np.float32)) for _ in range(count)]


def drawn(seed: int) -> Example:
    chance = np.random.default_rng(seed)
    labels = [int(chance.integers(2, len(NAMES)))]
    return Example(chance.normal(size=(60, BANDS)).astype(np.float32), labels, [3, 4])


class PlayedRoom:
    """Draws at once what the real one draws with much work: pools of two batches."""

    def __init__(self, *sources: object) -> None:
        self._seed = int(str(sources[1]))

    def pool(self, number: int, _gentle: float):
        first = (self._seed * 100 + number) * 100
        return [batch([drawn(first + n + k) for k in range(4)]) for n in (0, 4)]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "Room", PlayedRoom)
    monkeypatch.setattr(training, "_STAGE", 1)


def test_a_network_that_grows_says_of_what_it_knew_what_it_said(tmp_path) -> None:
    path = tmp_path / "small.onnx"
    torch.manual_seed(1)
    model = Network(len(NAMES), SoundNumbers().count).eval()
    with torch.no_grad():
        model.head.bias -= 20  # of all alike: that means nothing
    export(model, path)
    more = (*NAMES, "en:new")
    found = grown(path, more, SoundNumbers().count, bands()).eval()
    chance = np.random.default_rng(2)
    noise = features((chance.normal(size=RATE) * 1000).astype(np.int16))
    with torch.no_grad():
        before, after = (m(torch.from_numpy(noise)[None])[0].numpy() for m in (model, found))
    # Exported weights have 16 bits; the new output is improbable, whatever is heard.
    assert np.abs(after[:, : len(NAMES)] - before).max() < 0.05
    assert (after[:, -1] <= after[:, : len(NAMES)].mean(axis=1) + 0.05).all()


def test_an_exported_network_is_what_the_ear_reads(tmp_path) -> None:
    path = tmp_path / "small.onnx"
    torch.manual_seed(1)
    model = Network(len(NAMES), SoundNumbers().count).eval()
    export(model, path)
    samples = (np.random.default_rng(3).normal(size=RATE) * 1000).astype(np.int16)
    heard = Ear(path).listen(samples)
    with torch.no_grad():
        said = model(torch.from_numpy(features(samples))[None])[0].numpy()
    assert np.abs(heard - said).max() < 0.05


def test_in_the_package_a_network_hears_the_same_and_tells_what_its_last_layer_is_given(tmp_path) -> None:
    path, result = exported(tmp_path / "small.onnx", 1), tmp_path / "packed.onnx"
    packed(path, result)
    assert result.stat().st_size < 0.6 * path.stat().st_size
    noise = np.random.default_rng(4).normal(size=(90, BANDS)).astype(np.float32)
    before, after = Ear(path).listened(noise), Ear(result).listened(noise)
    assert np.abs(before.log_probabilities - after.log_probabilities).max() < 0.05
    assert not len(before.hidden)
    stored = {one.name: onnx.numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}
    logits = after.hidden @ stored["head.weight.half"][:, :, 0].T.astype(np.float32) + stored["head.bias"]
    said = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    assert np.abs(said - after.log_probabilities).max() < 0.05
    packed(result, tmp_path / "twice.onnx")
    assert (tmp_path / "twice.onnx").read_bytes() == result.read_bytes()


def exported(path: Path, seed: int) -> Path:
    torch.manual_seed(seed)
    export(Network(len(NAMES), SoundNumbers().count).eval(), path)
    return path


def head(path: Path) -> np.ndarray:
    """The weights of its last layer, a row for each output."""
    stored = {one.name: onnx.numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}
    return stored["head.weight.half"].astype(float)


def test_the_mean_of_networks_has_the_mean_of_their_weights(tmp_path) -> None:
    paths = [exported(tmp_path / f"{seed}.onnx", seed) for seed in (1, 2)]
    average(paths, tmp_path / "mean.onnx")
    heads = [head(path) for path in (*paths, tmp_path / "mean.onnx")]
    assert np.allclose(heads[2], (heads[0] + heads[1]) / 2, atol=1e-3)
    assert Ear(tmp_path / "mean.onnx").outputs == list(NAMES)


def test_a_network_has_itself_for_its_mean(tmp_path) -> None:
    path = exported(tmp_path / "one.onnx", 3)
    average([path, path], tmp_path / "mean.onnx")
    noise = (np.random.default_rng(4).normal(size=RATE) * 1000).astype(np.int16)
    assert np.abs(Ear(tmp_path / "mean.onnx").listen(noise) - Ear(path).listen(noise)).max() < 1e-4


def test_the_mean_of_networks_knows_the_words_that_all_of_them_know(tmp_path) -> None:
    new, old = exported(tmp_path / "new.onnx", 1), tmp_path / "old.onnx"
    known = [name for name in NAMES if name != NAMES[7]]
    torch.manual_seed(2)
    export(Network(len(known), SoundNumbers().count).eval(), old)
    network = onnx.load(old)
    onnx.helper.set_model_props(network, {"outputs": "\n".join(known)})
    onnx.save(network, old)
    for paths in ([old, new], [new, old]):
        average(paths, tmp_path / "mean.onnx")
        heads = [head(path) for path in (old, new, tmp_path / "mean.onnx")]
        assert len(heads[2]) == len(known)
        assert np.allclose(heads[2][7], (heads[0][7] + heads[1][8]) / 2, atol=1e-3)
        assert np.allclose(heads[2][6], (heads[0][6] + heads[1][6]) / 2, atol=1e-3)
        assert Ear(tmp_path / "mean.onnx").outputs == known


def test_networks_of_different_shapes_have_no_mean(tmp_path) -> None:
    one, other = exported(tmp_path / "one.onnx", 1), tmp_path / "other.onnx"
    torch.manual_seed(1)
    export(Network(len(NAMES) + 1, SoundNumbers().count).eval(), other)
    with pytest.raises(ValueError, match="shape"):
        average([one, other], tmp_path / "mean.onnx")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("drawing", [1, 2])
def test_an_interrupted_training_goes_on_as_if_it_had_not_been(tmp_path, monkeypatch, drawing) -> None:
    whole = training.train(training.Sources(Corpus([])), training.Course(7, 1), tmp_path / "whole.pt")
    machine = Machine(drawing=drawing)
    saved, save = [], Training._save

    def save_and_break(self, path) -> None:
        save(self, path)
        saved.append(self.step)
        if self.step == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(Training, "_save", save_and_break)
    with pytest.raises(KeyboardInterrupt):
        training.train(training.Sources(Corpus([])), training.Course(7, 1), tmp_path / "broken.pt", machine)
    monkeypatch.setattr(Training, "_save", save)
    resumed = training.train(
        training.Sources(Corpus([])), training.Course(7, 1), tmp_path / "broken.pt", machine
    )
    assert saved == [2, 4]
    for one, other in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(("device", "halved"), [("cpu", True), ("cuda", False)])
def test_only_a_processor_computes_in_half_the_bits(device, halved) -> None:
    with Machine(device).in_half():
        assert torch.is_autocast_enabled("cpu") is halved


def test_a_pool_is_the_same_whenever_it_is_drawn_and_another_is_not() -> None:
    chance = np.random.default_rng(1)
    sounds = [chance.normal(scale=3000, size=RATE).astype(np.int16) for _ in range(8)]
    corpus = Corpus([LabelledRecording(one, (NAMES[n + 2],), "answer", "") for n, one in enumerate(sounds)])
    room = Room(corpus, 1)

    def pool(of: Room, number: int) -> np.ndarray:
        return np.concatenate([one.bands for some in of.alike(number, 4, 2) for one in some])

    first = pool(room, 3)
    assert not np.array_equal(pool(room, 4)[:40], first[:40])
    assert np.array_equal(pool(room, 3), first)
    assert np.array_equal(pool(Room(corpus, 1), 3), first)


def test_what_is_drawn_has_the_bands_that_are_heard() -> None:
    sound = np.random.default_rng(5).normal(scale=0.1, size=RATE).astype(np.float32)
    assert np.abs(features(sound, 1.1, examples._spectra) - features(sound, 1.1)).max() < 1e-4


def test_a_batch_leaves_out_what_is_too_short_for_its_words_and_knows_whose_sounds_are_known() -> None:
    silent = np.zeros((40, BANDS), np.float32)
    long, short = Example(silent, [5, 6], [1, 2]), Example(silent[:4], [5, 5], [1])
    unknown = Example(silent, [1], None)
    found = batch([long, short, unknown])
    assert found.bands.shape == (2, 48, BANDS)
    assert found.lengths.tolist() == [10, 10]
    assert found.labels.tolist() == [5, 6, 1]
    assert found.label_lengths.tolist() == [2, 1]
    assert found.sounding.tolist() == [0]
    assert found.sounds.tolist() == [1, 2]


def test_what_a_batch_teaches_is_how_far_all_outputs_are_from_what_was_said() -> None:
    torch.manual_seed(1)
    model = Network(len(NAMES), SoundNumbers().count).train()
    one = batch([drawn(seed) for seed in range(4)])
    told, learnt = training.Losses(model, Machine()).of(one)
    learnt.backward()
    slope = model.head.weight.grad.clone()
    model.zero_grad()
    ctc = torch.nn.CTCLoss(reduction="sum")
    with torch.autocast("cpu", torch.bfloat16):
        words, sounds = model.both(one.bands)
        exported = model(one.bands)
    assert torch.allclose(exported, words.transpose(0, 1), atol=0.05)  # in 16 bits
    words = ctc(words, one.labels, one.lengths, one.label_lengths) / len(one.labels)
    sounds = ctc(sounds, one.sounds, one.lengths, one.sound_lengths) / len(one.sounds)
    (words + training._SOUNDS_WEIGHT * sounds).backward()
    assert float(told.detach()) == pytest.approx(float(words.detach()), rel=1e-5)
    assert torch.allclose(slope, model.head.weight.grad, atol=1e-3 * float(slope.abs().max()))


def test_the_sounds_of_words_are_known_and_those_of_other_speech_only_if_they_are_given() -> None:
    sounds, nothing = SoundNumbers(), np.zeros(0, np.int16)
    assert len(sounds.of(LabelledRecording(nothing, ("de:eins",), "", "")) or []) == 3
    assert sounds.of(LabelledRecording(nothing, ("de:eins", FILLER), "", "")) is None
    assert len(sounds.of(LabelledRecording(nothing, (FILLER,), "", "", ("AA", "T"))) or []) == 2
