# SPDX-License-Identifier: GPL-3.0-or-later
"""Why something at a server has failed -> one sentence that says what can be done about it."""

from __future__ import annotations

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online.client import DeniedError, UnansweredError

_TOO_FAST = "Invalid time control"  # as the server words it


def trouble(error: Exception, server: str) -> Message:
    """The sentence for an error of asking a server."""
    match error:
        case UserError():
            return error.message
        case DeniedError(status=401):
            return Message.of("online_token_refused")
        case DeniedError(status=403):
            return Message.of("online_scope_missing")
        case DeniedError(reason=reason) if _TOO_FAST in reason:
            return Message.of("online_challenge_too_fast")
        case DeniedError(status=404):
            return Message.of("online_not_found")
        case DeniedError(reason=reason) if reason:
            return Message.of("online_server_refuses", reason=reason)
        case UnansweredError(fault=False):
            return Message.of("online_unreachable", server=server)
    return Message.of("online_fault", server=server)
