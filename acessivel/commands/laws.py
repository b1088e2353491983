# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel laws`: the topics of an edition, or its rules on one, in lines, aloud and in Braille."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from acessivel.app.tell import tell
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.near_names import near_names
from acessivel.commands.output import write_line
from acessivel.errors import UserError
from acessivel.laws import topics
from acessivel.laws.editions import Edition, edition
from acessivel.laws.ruling import edition_name
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.settings.settings import Settings


def run(options: argparse.Namespace) -> int:
    """List the topics, or tell the rules on one. Raises UserError if there is no such topic."""
    settings = device_settings_of(options)
    book = edition(options.edition or settings.laws)
    found = names(settings.language)
    asked = " ".join(options.topic)
    topic = topics.named(asked, words(settings.language)) if asked else None
    if asked and topic is None:
        near = near_names(asked[:100].casefold(), found.values())
        key = "laws_no_topic" if near else "laws_no_topic_alike"
        raise UserError(Message.of(key, topic=asked[:100], names=near))
    told = topics.rule(topic, book) if topic else _listed(book, found)
    if options.json:
        write_line(json.dumps(_as_data(topic, book, told, settings), ensure_ascii=False))
    else:
        tell(told, settings, write_line)
    return 0


def names(language: str) -> Mapping[str, str]:
    """The topics, each with its name in a language."""
    return {topic: catalogue(language)[f"topic_{topic}"] for topic in topics.all_topics()}


def words(language: str) -> Mapping[str, Sequence[str]]:
    """The topics, each with its name in a language and what else it is called: "stalemate"."""
    also = {topic: catalogue(language).get(f"also_{topic}", "") for topic in topics.all_topics()}
    return {topic: (name, *filter(None, also[topic].split(", "))) for topic, name in names(language).items()}


def _listed(book: Edition, found: Mapping[str, str]) -> tuple[Message, ...]:
    return (
        Message.of("laws_edition", edition=edition_name(book.name)),
        Message.of("laws_topics", topics=tuple(found[topic] for topic in topics.topics(book))),
        Message.of("laws_how", edition=book.name),
    )


def _as_data(topic: str | None, book: Edition, told: Sequence[Message], settings: Settings) -> dict[str, Any]:
    if topic is None:
        return {"edition": book.name, "topics": topics.topics(book)}
    renderer = Renderer(settings.language)
    return {"edition": book.name, "topic": topic, "rules": [renderer.text(message) for message in told]}
