# SPDX-License-Identifier: GPL-3.0-or-later
"""axe-core, which npm fetches once: what it finds on a page by WCAG 2.2, A and AA."""

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "build/axe"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]


def source():
    """The source of axe-core; where it cannot be had the test is skipped."""
    file = FOLDER / "axe.min.js"
    if not file.exists():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed: it fetches axe-core")
        FOLDER.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", "--silent", "axe-core@4"]
        got = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=120, check=False)
        if got.returncode:
            pytest.skip("npm cannot fetch axe-core")
        with tarfile.open(FOLDER / got.stdout.split()[-1]) as package:
            file.write_bytes(package.extractfile("package/axe.min.js").read())
    return file.read_text("utf-8")


def found(page, axe):
    """What axe finds: the rules that are broken, and the targets that may be too small."""
    page.evaluate(axe)
    result = page.evaluate("tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", TAGS)
    doubtful = [one for one in result["incomplete"] if one["id"] == "target-size"]
    return [
        (one["id"], [node["html"] for node in one["nodes"]][:3]) for one in [*result["violations"], *doubtful]
    ]
