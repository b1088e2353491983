# SPDX-License-Identifier: GPL-3.0-or-later
import unicodedata

import pytest

from acessivel.adjournment.passphrase import normal, weakness

KNOWN = ("Ana", "Bruno Miranda", "", "", "Funchal")


@pytest.mark.parametrize("passphrase", ["", "abc", "seven77", unicodedata.normalize("NFC", "éééééé1")])
def test_a_short_one_is_refused(passphrase):
    assert weakness(passphrase, KNOWN).key == "passphrase_short"


@pytest.mark.parametrize(
    "passphrase",
    [
        "12345678", "87654321", "aaaaaaaa", "abababab", "abcdefgh", "qwertyui", "QWERTZUI", "poiuytre", "13579135", "password",
        "Passwort1", "senha12345", "contraseña!", "xadrez2026", "Bruno Miranda", "bruno miranda 1", "Funchal22", "        ",
        "1234567890", "20262026", "2026-11-22", "--------",
    ],
)  # fmt: skip
def test_one_that_is_tried_first_is_refused(passphrase):
    assert weakness(passphrase, KNOWN).key == "passphrase_easy"


@pytest.mark.parametrize(
    "passphrase",
    ["a long passphrase", "uma senha comprida", "q7!kd9zp", "grüne Wiese", "пароль судьи", "Turm am Fluss"],
)
def test_others_are_taken(passphrase):
    assert weakness(passphrase, KNOWN) is None


def test_the_form_is_the_composed_one():
    assert normal("cafe\u0301") == "café"
