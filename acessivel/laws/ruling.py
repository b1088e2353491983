# SPDX-License-Identifier: GPL-3.0-or-later
"""A ruling as a value: its sentence with the article, and what follows for board, clocks and result."""

from __future__ import annotations

from dataclasses import dataclass

from acessivel.laws import editions
from acessivel.message import Message
from voices.speakers import Span

WIN = {"white": "1-0", "black": "0-1"}
DRAW = "1/2-1/2"
_OTHER = {"white": "black", "black": "white"}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision under one edition of the Laws.

    `key`, `values`: the sentence of the catalogue and its named values. `article`, `edition`: the article it
    is based on. `result`: "1-0", "0-1", "1/2-1/2" or "0-0" when it ends the game. `times`: colours and the ms
    that they gain (negative: lose). `takes_back`: the last move is taken back. `must_play`: the move (UCI)
    that must now be played. `for_arbiter`: the Laws leave the decision, or the rest of it, to the arbiter.
    `counts_against`: the side that now has one more illegal move. `offers_draw`: the claim counts as an offer
    of a draw. `new_game`: this game is void and a new one begins.
    """

    key: str
    article: str
    edition: str
    values: tuple[tuple[str, object], ...] = ()
    result: str | None = None
    times: tuple[tuple[str, int], ...] = ()
    takes_back: bool = False
    must_play: str | None = None
    for_arbiter: bool = False
    counts_against: str | None = None
    offers_draw: bool = False
    new_game: bool = False

    def message(self) -> Message:
        """The sentence, followed by its article and edition."""
        return cited(Message.of(self.key, **dict(self.values)), self.article, self.edition)


def opponent(colour: str) -> str:
    """The other colour."""
    return _OTHER[colour]


def cited(sentence: Message, article: str, edition: str) -> Message:
    """A sentence followed by its citation."""
    return Message.of("ruling", sentence=sentence, source=citation(article, edition))


def citation(article: str, edition: str) -> Message:
    """How an article is cited: by its number, as a point of the guidelines, or by its heading.

    The school rules have headings instead of numbers; these are spoken in the edition's own language.
    """
    book = edition_name(edition)
    if article == "preface":
        return Message.of("cite_preface", edition=book)
    if article.startswith("guidelines "):
        return Message.of("cite_guideline", number=article.removeprefix("guidelines "), edition=book)
    if any(c.isdigit() for c in article) or len(article) == 1:
        return Message.of("cite_article", article=article, edition=book)
    return Message.of("cite_section", section=Span(article, editions.edition(edition).headings), edition=book)


def edition_name(edition: str) -> Message:
    """The name of an edition as it is spoken: "fide-2018" -> `edition_fide`, the FIDE Laws of 2018."""
    body, _, year = edition.rpartition("-")
    return Message.of(f"edition_{body.replace('-', '_')}", year=year)
