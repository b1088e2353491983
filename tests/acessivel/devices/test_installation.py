# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told to be typed where a part is missing."""

import sys

import pytest

from acessivel.devices import installation
from acessivel.message import Message
from acessivel.settings.settings import Settings
from acessivel.web.driver import open_pages
from voices import packages


@pytest.fixture
def debian(monkeypatch):
    monkeypatch.setattr(installation.shutil, "which", lambda name: f"/usr/bin/{name}")


def test_packages_are_installed_in_the_versions_that_are_needed():
    assert "'starlette>=1.3.1'" in installation.install("web").split()


@pytest.mark.parametrize(("part", "library"), [("voice", "libportaudio2"), ("hall", "libpq5")])
@pytest.mark.usefixtures("debian")
def test_the_libraries_that_packages_need_are_named_too(part, library):
    _, system = installation.install(part).split(" && ")
    assert system.startswith("sudo apt-get install ")
    assert library in system.split()


@pytest.fixture
def versions(monkeypatch):
    """Packages of other versions than those that are here."""
    found, real = {}, packages.metadata.version
    monkeypatch.setattr(packages.metadata, "version", lambda name: found.get(name) or real(name))
    packages._too_old.cache_clear()
    yield found
    packages._too_old.cache_clear()


def test_a_package_that_is_too_old_is_missing(versions):
    versions["starlette"] = "0.26.1"
    assert open_pages(Settings(), print) == Message.of("missing_web", how=installation.install("web"))


@pytest.mark.parametrize(
    ("version", "old"), [("1.3", True), ("1.3.0", True), ("1.3.1", False), ("1.10", False), ("2.0rc1", False)]
)
def test_versions_are_compared_by_their_numbers(versions, version, old):
    versions["starlette"] = version
    assert packages._too_old("starlette", "web") == old


def test_a_package_that_nobody_has_installed_is_as_new_as_needed():
    assert not packages._too_old("json", "web")
    assert not packages._too_old("voices.network.ear", "voice")


@pytest.mark.parametrize(
    ("base", "how"),
    [
        ("/usr", "/usr/bin/python3 -m venv --system-site-packages --upgrade '/home/ana/my venv'"),
        ("/opt/python", "/usr/bin/python3 -m venv --system-site-packages .venv && .venv/bin/pip install ."),
    ],
)
@pytest.mark.usefixtures("debian")
def test_an_environment_that_does_not_see_the_systems_packages_is_let_see_them(monkeypatch, base, how):
    monkeypatch.setattr(sys, "prefix", "/home/ana/my venv")
    monkeypatch.setattr(sys, "base_prefix", base)
    monkeypatch.setattr(sys, "path", ["/home/ana/my venv/lib/python3.11/site-packages"])
    assert (
        installation.install("liblouis")
        == f"sudo apt-get install {installation._PACKAGES['liblouis']} && {how}"
    )
