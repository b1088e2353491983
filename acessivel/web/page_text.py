# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts as they go to a page: what is in another language than the page is marked, so that it is read so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from voices.speakers import Span

# All in the language of the page; or else its stretches, each with its language.
PageText = str | Sequence[tuple[str, str]]


def of(renderer: Renderer, messages: Iterable[Message]) -> PageText:
    """Messages one after the other, as on the screen."""
    return marked(renderer.shown(messages), renderer.language)


def marked(stretches: Sequence[Span], language: str) -> PageText:
    """Stretches of text on a page in a language."""
    if all(one.language == language for one in stretches):
        return "".join(one.text for one in stretches)
    return [(one.text, one.language) for one in stretches]


def plain(text: PageText) -> str:
    """The text alone, also as it has come back from JSON."""
    return text if isinstance(text, str) else "".join(part for part, _ in text)
