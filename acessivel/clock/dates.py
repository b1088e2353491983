# SPDX-License-Identifier: GPL-3.0-or-later
"""A time of the calendar as values of a message."""

from __future__ import annotations

from datetime import datetime


def date_parts(when: str) -> dict[str, str]:
    """The values {year}, {month}, {day}, {hour} and {minute} of a time in ISO 8601."""
    at = datetime.fromisoformat(when)
    return {name: f"{getattr(at, name):02d}" for name in ("year", "month", "day", "hour", "minute")}
