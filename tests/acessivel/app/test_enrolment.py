# SPDX-License-Identifier: GPL-3.0-or-later
"""An enrolment whose profile cannot be stored says so, and that nothing is kept."""

from __future__ import annotations

from types import SimpleNamespace

from acessivel.app import enrolment
from acessivel.app.activity import SpokenToEnd, Tell
from acessivel.app.enrolment import EnrolmentActivity
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import Settings


def test_what_cannot_be_stored_is_told_and_ends_it_with_an_error(monkeypatch):
    reason = Message.of("enrol_not_kept", folder="there")

    def finish(*_):
        raise UserError(reason)

    monkeypatch.setattr(enrolment, "prompts", lambda *_: ())  # nothing has to be said
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    activity = EnrolmentActivity(Settings(language="en"), SimpleNamespace(), lambda _: None, finish)
    activity.start(0)
    activity.handle(SpokenToEnd(), 0)  # the welcome; then the room is measured
    activity._go_on(-60.0, 0)
    while not activity.over:
        assert activity.handle(SpokenToEnd(), 0) is not None
    assert activity.status == 1
    assert activity.leave(0) == (Tell((reason, Message.of("enrol_left"))),)
