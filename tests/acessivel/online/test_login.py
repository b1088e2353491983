# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging in by a browser or a pasted token, where the token is kept, and logging out."""

import json
import os
import stat
from urllib.parse import parse_qs, urlsplit

import httpx
import keyring
import pytest
from keyring.backend import KeyringBackend
from support.languages import LANGUAGES
from support.online import Reports

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.online import credentials, login
from acessivel.online.reports import OnlineTrouble


@pytest.fixture
def browser():
    with httpx.Client(follow_redirects=True, trust_env=False) as client:
        yield client


@pytest.fixture
def logging_in(lichess):
    lichess.token("Ana")
    reports = Reports()
    begun = login.Login(lichess.url, reports, "de")
    yield begun, reports
    begun.close()


def query(url):
    return {name: found[0] for name, found in parse_qs(urlsplit(url).query).items()}


def test_who_says_yes_in_the_browser_is_logged_in(lichess, logging_in, browser):
    begun, reports = logging_in
    page = browser.get(f"{begun.url}&username=Ana")
    assert page.status_code == 200
    assert '<html lang="de">' in page.text
    assert "Sie sind angemeldet." in page.text
    found = reports.next(login.LoggedIn)
    assert found.name == "Ana"
    assert lichess.tokens[found.token].name == "Ana"
    assert lichess._scopes[found.token] == {"board:play"}


def test_neither_the_verifier_nor_the_token_stands_in_an_address(lichess, logging_in, browser):
    begun, reports = logging_in
    page = browser.get(begun.url)
    found = reports.next(login.LoggedIn)
    seen = [begun.url, str(page.url), *(str(one.url) for one in page.history), page.text]
    given = next(form for _, path, form in lichess.requests if path == "/api/token")
    assert not any(secret in text for secret in (found.token, given["code_verifier"]) for text in seen)
    assert len(given["code_verifier"]) >= 43


def test_who_says_no_in_the_browser_is_told(lichess, logging_in, browser):
    lichess.denies_login = True
    begun, reports = logging_in
    assert "nicht angemeldet" in browser.get(begun.url).text
    assert reports.next(OnlineTrouble).message == Message.of("online_login_denied")


def test_a_page_that_does_not_know_the_state_changes_nothing(logging_in, browser):
    begun, reports = logging_in
    back = query(begun.url)["redirect_uri"]
    for wrong in ("", "?code=x", "?code=x&state=wrong", "?error=access_denied&state=%00", "favicon.ico"):
        assert browser.get(back + wrong).status_code == 400
    browser.get(begun.url)
    reports.next(login.LoggedIn)
    assert len(reports.all) == 1


def test_a_code_counts_once(logging_in, browser):
    begun, reports = logging_in
    page = browser.get(begun.url)
    assert browser.get(page.url).status_code == 400
    assert len(reports.all) == 1


@pytest.mark.parametrize(
    ("how", "why"), [(400, "online_server_refuses"), (500, "online_fault"), ("lost", "online_unreachable")]
)
def test_a_server_that_gives_no_token_is_told(lichess, logging_in, browser, how, why):
    lichess.spoil("POST", "/api/token", how)
    begun, reports = logging_in
    assert "nicht angemeldet" in browser.get(begun.url).text
    message = reports.next(OnlineTrouble).message
    assert message.key == why
    assert all(Renderer(language).text(message) for language in LANGUAGES)


def test_a_login_that_was_given_up_reports_nothing_and_listens_no_more(lichess):
    reports = Reports()
    begun = login.Login(lichess.url, reports)
    begun.close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(query(begun.url)["redirect_uri"], trust_env=False)
    assert not reports.all


def test_a_pasted_token_is_checked(lichess):
    assert login.check_token(lichess.url, lichess.token("Ana")) == "Ana"
    for token, why in (
        ("lip_wrong", "online_token_wrong"),
        (lichess.token("Bob", "puzzle:read"), "online_scope_missing"),
    ):
        with pytest.raises(UserError) as error:
            login.check_token(lichess.url, token)
        assert error.value.message.key == why


@pytest.mark.parametrize("token", ["with space", "line\nbreak", "Tönchen", "", "a,b"])
def test_what_is_pasted_may_be_anything(lichess, token):
    with pytest.raises(UserError) as error:
        login.check_token(lichess.url, token)
    assert error.value.message == Message.of("online_token_wrong")


def test_logging_out_ends_the_token_at_the_server(lichess):
    token = lichess.token("Ana")
    login.revoke(lichess.url, token)
    assert token not in lichess.tokens
    with pytest.raises(UserError):
        login.revoke(lichess.url, token)


def test_the_page_for_a_token_asks_for_the_one_permission():
    assert query(login.token_page("https://lichess.org/"))["scopes[]"] == "board:play"


# Where it is kept


class Ring(KeyringBackend):
    priority = -1  # never found by itself: other tests of this process are to meet none

    def __init__(self, works=True):
        super().__init__()
        self.kept, self.works = {}, works

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        if self.works:
            self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


class Broken(Ring):
    def get_password(self, *_):
        raise RuntimeError("the keyring is locked")

    set_password = delete_password = get_password


@pytest.fixture
def ring(monkeypatch, tmp_path):
    """A keyring, and a folder of the user's own."""
    monkeypatch.setattr("platformdirs.user_data_path", lambda _: tmp_path / "data")
    before = keyring.get_keyring()

    def use(one):
        keyring.set_keyring(one)
        return one

    yield use
    keyring.set_keyring(before)


SERVER, OTHER = "https://lichess.org", "http://127.0.0.1:9663"


def test_a_token_is_kept_in_the_keyring_and_nowhere_else(ring, tmp_path):
    used = ring(Ring())
    assert credentials.keep(SERVER, "one") == "keyring"
    assert used.kept == {("acessivel", SERVER): "one"}
    assert not (tmp_path / "data").exists()
    assert (credentials.load(SERVER), credentials.load(OTHER)) == ("one", "")
    credentials.forget(SERVER)
    assert not used.kept


@pytest.mark.parametrize("none", [Broken(), Ring(works=False), keyring.backends.fail.Keyring()])
def test_without_a_keyring_it_is_in_a_file_that_others_cannot_read(ring, tmp_path, none):
    ring(none)
    assert credentials.keep(SERVER, "one") == "file"
    assert credentials.keep(OTHER, "two") == "file"
    (file,) = (tmp_path / "data").iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (credentials.load(SERVER), credentials.load(OTHER)) == ("one", "two")
    credentials.forget(SERVER)
    assert (credentials.load(SERVER), credentials.load(OTHER)) == ("", "two")
    credentials.forget(OTHER)
    assert not list((tmp_path / "data").iterdir())


def test_a_keyring_that_comes_later_takes_the_token_out_of_the_file(ring, tmp_path):
    ring(Broken())
    credentials.keep(SERVER, "one")
    ring(Ring())
    assert credentials.load(SERVER) == "one"
    assert credentials.keep(SERVER, "one") == "keyring"
    assert not list((tmp_path / "data").iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"https://lichess.org": 7}', "\ud800"])
def test_a_broken_file_holds_no_token_and_is_replaced(ring, tmp_path, text):
    ring(Broken())
    file = tmp_path / "data" / "logins.json"
    file.parent.mkdir()
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert credentials.load(SERVER) == ""
    credentials.keep(SERVER, "one")
    assert json.loads(file.read_text("utf-8")) == {SERVER: "one"}


def test_where_nothing_can_be_written_that_is_told(ring, tmp_path):
    ring(Broken())
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(UserError) as error:
        credentials.keep(SERVER, "one")
    assert error.value.message.key == "online_not_kept"
    assert all(Renderer(language).text(error.value.message) for language in LANGUAGES)
