# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest

from voices.models.installed import find_vosk_model, is_model


def make_model(folder: Path, files: tuple[str, str] = ("am/final.mdl", "conf/mfcc.conf")) -> Path:
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"model")
    return folder


@pytest.fixture(autouse=True)
def _no_models_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("VOSK_MODEL_PATH", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def test_both_layouts_are_models_and_a_broken_download_is_none(tmp_path: Path) -> None:
    assert is_model(make_model(tmp_path / "new"))
    assert is_model(make_model(tmp_path / "old", ("final.mdl", "mfcc.conf")))
    make_model(tmp_path / "broken", ("am/final.mdl", "README"))
    assert not is_model(tmp_path / "broken")
    assert not is_model(tmp_path / "missing")


def test_the_configured_folder_alone_counts(tmp_path: Path) -> None:
    make_model(tmp_path / "vosk-model-small-de-0.15")
    own = make_model(tmp_path / "my own")
    assert find_vosk_model(own, "de", [tmp_path]) == own
    assert find_vosk_model(tmp_path / "wrong", "de", [tmp_path]) is None


def test_a_model_is_found_by_its_language_small_ones_first(tmp_path: Path) -> None:
    make_model(tmp_path / "vosk-model-de-0.21")
    small = make_model(tmp_path / "vosk-model-small-de-0.15")
    portuguese = make_model(tmp_path / "vosk-model-small-pt-0.3")
    (tmp_path / "vosk-model-small-es-0.42").mkdir()
    make_model(tmp_path / "vosk-model-nl-spraakherkenning-en")
    assert find_vosk_model(None, "de", [tmp_path / "none", tmp_path]) == small
    assert find_vosk_model(None, "pt", [tmp_path]) == portuguese
    assert find_vosk_model(None, "es", [tmp_path]) is None
    assert find_vosk_model(None, "en", [tmp_path]) is None


def test_the_usual_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = make_model(tmp_path / "home" / ".cache" / "vosk" / "vosk-model-small-de-0.15")
    assert find_vosk_model(None, "de", []) == cached
    named = make_model(tmp_path / "elsewhere" / "vosk-model-small-de-0.15")
    monkeypatch.setenv("VOSK_MODEL_PATH", str(tmp_path / "elsewhere"))
    assert find_vosk_model(None, "de", []) == named
