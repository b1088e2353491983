# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voices.hearing.learnt import MOST_SAMPLES, Learnt, LearntError, Sample
from voices.network.adaptation import Correction
from voices.network.rehearsal import packed

probabilities = st.floats(0, 1)
readings = st.lists(st.tuples(probabilities, st.booleans()), max_size=40).map(tuple)


def sample(words="eva vier", frames=30, seed=1):
    bands = np.random.default_rng(seed).normal(size=(frames, 40))
    return Sample.of(words, "de", "fide", bands)


def correction(at):
    outputs = ("*", "de:eva")
    return Correction(f"network {at}", outputs, np.full((2, 3), at, np.float32), np.ones(2, np.float32))


@given(st.lists(st.integers(1, 90), max_size=5), readings, st.integers(0, 2))
def test_what_is_written_is_read_back(frames, known, networks):
    corrections = tuple(map(correction, range(networks)))
    learnt = Learnt(readings=known, corrections=corrections)
    for seed, count in enumerate(frames):
        learnt = learnt.with_sample(sample(frames=count, seed=seed))
    found = Learnt.read(learnt.written())
    assert (found.samples, found.readings) == (learnt.samples, learnt.readings)
    assert [one.bands.tolist() for one in found.samples] == [one.bands.tolist() for one in learnt.samples]
    assert len(found.corrections) == networks
    for one, other in zip(found.corrections, corrections, strict=True):
        assert (one.network, one.outputs) == (other.network, other.outputs)
        assert (one.weights == other.weights).all()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"{}",
        Learnt().with_sample(sample()).written()[:-40],
        replace(Learnt()).written()[:9],
    ],
)
def test_another_file_is_refused(data):
    with pytest.raises(LearntError):
        Learnt.read(data)


WHOLE = Learnt(((sample(frames=200)),), ((0.5, True),) * 30, (correction(0),)).written()


@given(
    st.integers(0, len(WHOLE) - 1),
    st.one_of(st.integers(1, 255).map(lambda bits: bytes([bits])), st.just(bytes(4096))),
)
@example(570, b"\1")  # a bracket of numpy's own heading is not closed any more
def test_a_damaged_file_is_read_or_refused_and_nothing_else(place, other):
    """One byte of another value, or a page of the disk that was lost."""
    changed = WHOLE[:place] + other + WHOLE[place + len(other) :]
    with contextlib.suppress(LearntError):
        Learnt.read(changed)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", np.arange(2)), ("readings", np.float64(0.5)), ("readings", np.full((2, 2), np.nan)),
        ("networks", np.str_("first")), ("bands", np.zeros((200, 39), np.int8)), ("ends", np.int64(200)),
        ("weights0", np.full((2, 3), np.inf, np.float16)), ("biases0", np.full(2, np.nan, np.float32)),
        ("biases0", np.float32(0)), ("outputs0", np.str_("*")),
    ],
)  # fmt: skip
def test_a_file_of_another_shape_or_without_sense_is_refused(name, value):
    with np.load(io.BytesIO(WHOLE)) as found:
        arrays = {each: found[each] for each in found.files}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays | {name: value})
    with pytest.raises(LearntError):
        Learnt.read(file.getvalue())


@pytest.mark.parametrize(("version", "read"), [(1, True), (3, False)])
def test_what_was_learnt_of_other_mel_bands_is_not_used(monkeypatch, version, read):
    """All is learnt anew then; what a later version has written stays as it is."""
    with monkeypatch.context() as other:
        other.setattr("voices.hearing.learnt._FORMAT", version)
        data = Learnt().with_sample(sample()).written()
    with contextlib.nullcontext() if read else pytest.raises(LearntError):
        assert Learnt.read(data) == Learnt()


def test_the_oldest_sample_makes_room_and_one_without_sound_is_none():
    learnt = Learnt()
    for number in range(MOST_SAMPLES + 3):
        learnt = learnt.with_sample(sample(f"{number}"))
    assert len(learnt.samples) == MOST_SAMPLES
    assert learnt.samples[0].words == "3"
    assert learnt.with_sample(sample(frames=0)) == learnt
    assert learnt.with_sample(sample(frames=5000)) == learnt


@given(readings, st.floats(0.36, 0.9))
def test_a_speaker_never_needs_more_than_others_and_always_more_than_a_wrong_reading(known, general):
    needed = Learnt(readings=known).repeat_needed(general)
    assert 0.35 <= needed <= general
    assert all(needed > p for p, right in known if not right and p < needed)
    if len(known) >= 20:
        assert not [p for p, right in known if not right and needed <= p < general]


@pytest.mark.parametrize(
    ("known", "needed"),
    [
        ([], 0.5),
        ([(0.4, True)] * 19, 0.5),  # too few
        ([(0.4, True)] * 20, 0.35),
        ([(0.4, True)] * 20 + [(0.38, False)], 0.43),
        ([(0.4, True)] * 20 + [(0.48, False)], 0.5),
        ([(0.4, True)] * 20 + [(0.7, False)], 0.35),  # what was repeated and denied anyway
    ],
)
def test_how_probable_a_reading_of_a_speaker_must_be(known, needed):
    assert Learnt(readings=tuple(known)).repeat_needed(0.5) == pytest.approx(needed)


@pytest.mark.parametrize(
    ("known", "needed"), [([], 0.55), ([(0.9, True)] * 20, 0.5), ([(0.9, True)] * 20 + [(0.5, False)], 0.55)]
)
def test_a_corrected_network_must_be_surer(known, needed):
    correction = Correction("one", ("*",), np.ones((1, 3), np.float32), np.ones(1, np.float32))
    assert Learnt(readings=tuple(known), corrections=(correction,)).repeat_needed(0.5) == pytest.approx(
        needed
    )


def test_a_sample_has_only_packed_bands():
    assert sample().bands.dtype == packed(np.zeros((1, 40))).dtype
