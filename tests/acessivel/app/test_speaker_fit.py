# SPDX-License-Identifier: GPL-3.0-or-later
"""How a speaker's recordings are judged, with ears that are played."""

from dataclasses import replace
from datetime import date

import pytest

from acessivel.app import speaker_fit
from acessivel.app.speaker_fit import Judged, Labelled, judged
from acessivel.settings.settings import Settings
from voices.hearing import evidence
from voices.hearing.evidence import EvidenceModel
from voices.hearing.learnt import Learnt
from voices.hearing.profile import Profile
from voices.recognisers import Hypothesis

ANA = Profile("ana", date(2026, 11, 21), -60.0, 0.0, {})


class PlayedEars:
    """Hears what its audio says: words, and how probable they are; after a "?" what the answers' network says."""

    def __init__(self) -> None:
        self._audio = b""

    def expect(self, everything: str, expected: tuple[str, ...]) -> None:
        """It has no grammar."""

    def start(self) -> None:
        self._audio = b""

    def feed(self, audio: bytes) -> None:
        self._audio += audio

    def finish(self) -> tuple[Hypothesis, ...]:
        found = [part.split("=") for part in self._audio.decode().split(", ")]
        return tuple(
            Hypothesis(words.lstrip("?"), "answer" if words[0] == "?" else "all", float(score), "network")
            for words, score in found
        )

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("heard", "others"),
    [
        ("ja=0.90", ()), ("ja=0.97", (0.97,)), ("sim=0.70", ()), ("eva vier=0.99", ()),
        ("sim=0.70, ?sim=0.0", (1.0,)), ("sim=0.60, brancas sim=0.40, ?sim=0.0", (1.0,)),
        ("ja=0.97, ?ja=-1.0", ()), ("confirmo=0.60, ?confirmo=-0.6", (0.6,)), ("confirmo=0.60", ()),
    ],
)  # fmt: skip
def test_how_probable_a_false_yes_was_that_would_be_taken(monkeypatch, heard, others):
    monkeypatch.setattr(speaker_fit, "open_recogniser", lambda *_, **__: PlayedEars())
    monkeypatch.setattr(evidence, "model", lambda _: EvidenceModel({}, yes=0.8, foreign_yes=0.95))

    def weighed(found, *_, **__):
        return tuple(evidence.Weighed(h.words, h.score) for h in found if h.grammar == "all")

    monkeypatch.setattr(evidence, "weigh", weighed)
    recordings = [Labelled("eva vier", heard.encode(), (), judges=True)]
    found = judged(Settings(language="pt", convention="fide"), ANA, recordings)
    assert found.others == pytest.approx(others)
    spoken = [Labelled("sim", heard.encode(), (), judges=True)]
    assert judged(Settings(language="pt", convention="fide"), ANA, spoken).others == ()


@pytest.mark.parametrize("learns", [False, True])
@pytest.mark.parametrize(("right", "kept"), [(0, "before"), (2, "now")])
def test_what_was_known_stays_unless_something_new_is_better(monkeypatch, learns, right, kept):
    """What it hears right: one with what was known, none or two with anything new."""
    known = replace(ANA, yes=0.9, pronunciations={"eva": ("IY V AH",)})
    before, now = Learnt(corrections=("before",)), Learnt(corrections=("now",))
    heard = []

    def listen(_, profile, recordings, corrections=()):
        heard.append(corrections)
        new = profile != known or corrections != ("before",)
        return Judged(right if new else 1, 0, len(recordings), (0.99,), ())

    monkeypatch.setattr(speaker_fit, "judged", listen)
    monkeypatch.setattr(speaker_fit, "fitted", lambda *_: {"eva": ("EH V AH",)})
    monkeypatch.setattr(speaker_fit, "_taught", lambda *_: now)
    recordings = [Labelled("eva vier", b"", (), judges=judges) for judges in (False, True)]
    found = speaker_fit.fit(
        Settings(language="de", convention="fide"), known, recordings, before, learns=learns
    )
    assert heard[:2] == [("before",)] * 2  # as in a game until now
    assert found.learnt == ((before if kept == "before" else now) if learns else None)
    assert (found.profile.pronunciations == known.pronunciations) == (kept == "before")
    assert found.profile.yes == 0.9
