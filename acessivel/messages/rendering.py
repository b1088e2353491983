# SPDX-License-Identifier: GPL-3.0-or-later
"""A message -> the same sentence for the screen, the voice and the Braille display."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import tomli

from acessivel.message import Duration, Message, ToType
from acessivel.messages import plurals, shell
from acessivel.rules.position import COLOURS, Fact
from voices import data
from voices.meaning import (
    Called,
    Castling,
    Check,
    Command,
    CommandName,
    Distinct,
    Move,
    MovePattern,
    Piece,
    Place,
    Wording,
)
from voices.speakers import Span
from voices.understanding import written_moves
from voices.words.files import languages
from voices.words.lexicon import CHOSEN, VocabularyError, vocabulary
from voices.words.phrasing import phrasing

VERBOSITIES = ("brief", "normal", "full")
_FORMATTER = string.Formatter()
_PUNCTUATION = re.compile(r"^[.,:;?!]+(?=\s|$)")
_WRITTEN = ("file", "option", "source")  # the user's own words: "white" is no colour there
# What the user is to do with words: say them, or type them.
_ASKED = frozenset({"say", "to_say", "be_said", "say_or_type"})
# Where the catalogue and a {program} name the program to be typed.
_TO_TYPE, _PROGRAM = re.compile(rf"(?<=: ){shell.NAME}(?= )"), re.compile(rf"^{shell.NAME}(?= |$)")
# How a sentence begins that begins with what is typed literally: its case matters.
_TYPED = ("acessivel ", "{file}", "{program}", "{option}", "{drill}")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: what is shown, what is spoken in which language, and its short form in Braille.

    `notation`: the short form is a move in SAN with English letters.
    """

    shown: str
    spoken: str
    language: str
    brief: str
    notation: bool = False


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The sentences of a language by key; those that a language outside the program lacks are in English."""
    own = sentences(language)
    return own if _of_the_program(language).is_dir() else {**sentences("en"), **own}


def sentences(language: str) -> dict[str, str]:
    """The sentences of a language's own files by key.

    Raises KeyError if there is no such language, VocabularyError if a file is not TOML, and ValueError if a
    key stands twice.
    """
    if language not in languages():
        raise KeyError(language)
    found: dict[str, str] = {}
    for file in data.files(_of_the_program(language), f"messages/{language}").values():
        try:
            texts = tomli.loads(file.read_text("utf-8"))
        except tomli.TOMLDecodeError as error:
            where = f"messages/{language}/{file.name}"
            raise VocabularyError(where, str(error.lineno), "not_toml") from error
        if twice := found.keys() & texts.keys():
            raise ValueError(f"{file.name}: {sorted(twice)}")
        found |= texts
    return found


def _of_the_program(language: str) -> Path:
    return Path(__file__).with_name(language)


def has_words(message: Message) -> bool:
    """Whether there is a sentence for a message of another computer, which has all that goes into it."""
    try:
        Renderer("en").parts(message)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders messages in one language, with moves and squares in one convention.

    Where words are `typed`, as nobody listens, sentences tell the user to type them instead of to say them.
    If the catalogue has a shorter or longer sentence for the verbosity ("brief_played" for "played"), that
    one is used.
    """

    language: str
    convention: str = "fide"
    verbosity: str = "normal"
    typed: bool = False

    def text(self, message: Message) -> str:
        """One plain line for the screen."""
        shown = "".join(part.shown for part in self.parts(message))
        return shown if self._sentence(message.key).startswith(_TYPED) else _capital(shown)

    def shown(self, messages: Iterable[Message]) -> tuple[Span, ...]:
        """The same of several, one after the other, in stretches of one language each."""
        stretches: list[Span] = []
        for message in messages:
            text, at = self.text(message), 0
            for n, part in enumerate(one for one in self.parts(message) if one.shown):
                before = " " if stretches and not n else ""
                piece = before + text[at : at + len(part.shown)]
                at += len(part.shown)
                says = any(c.isalnum() for c in piece)
                if stretches and (stretches[-1].language == part.language or not says):
                    stretches[-1] = replace(stretches[-1], text=stretches[-1].text + piece)
                else:
                    stretches.append(Span(piece, part.language))
        return tuple(one for one in _ended(stretches) if one.text)

    def spans(self, messages: Iterable[Message]) -> tuple[Span, ...]:
        """What to speak, with the language of each stretch: the FIDE words need a German voice."""
        stretches: list[tuple[str, list[str]]] = []
        for message in messages:
            for part in self.parts(message):
                if not stretches or stretches[-1][0] != part.language:
                    stretches.append((part.language, []))
                stretches[-1][1].append(part.spoken)
            stretches[-1][1].append(" ")
        spans = _ended(Span("".join(texts), language) for language, texts in stretches)
        return tuple(span for span in spans if any(c.isalnum() for c in span.text))

    def parts(self, message: Message) -> tuple[Part, ...]:
        """The sentence in its parts. Raises KeyError if the catalogue lacks it."""
        return tuple(self._filled(self._sentence(message.key), dict(message.values)))

    def _filled(self, sentence: str, values: Mapping[str, object]) -> Iterator[Part]:
        """A sentence, or a form of a word in it, with its values."""
        for literal, field, spec, _ in _FORMATTER.parse(sentence):
            if literal:
                yield self._to_type(literal, _TO_TYPE)
            if field is not None:
                value = values[field] if field in values else self._word(field)
                if plurals.has_forms(spec or ""):
                    yield from self._filled(plurals.form(spec or "", value, self.language), values)
                elif plurals.has_words(spec or ""):
                    for part in self._value(value, ""):
                        yield replace(part, spoken=plurals.in_words(spec or "", part.shown))
                elif isinstance(value, str) and field == "program":
                    yield self._to_type(printable(value), _PROGRAM)
                elif isinstance(value, str) and field in _WRITTEN:
                    yield self._plain(printable(value))
                else:
                    yield from self._value(value, spec or "")

    def _sentence(self, key: str) -> str:
        texts = catalogue(self.language)
        return texts.get(f"{self.verbosity}_{key}") or texts[key]

    def _word(self, name: str) -> str:
        """What a sentence tells the user to say: {yes}, {help}; or what to do with it: {say}, {Say}."""
        if name.lower() in _ASKED:
            word = catalogue(self.language)[f"{'typed' if self.typed else 'spoken'}_{name.lower()}"]
            return _capital(word) if name[0].isupper() else word
        words = vocabulary(self.language)
        if name in ("longer_yes", "longer_no"):
            return words.longer_answer(name.removeprefix("longer_"))
        return words.say("answer" if name in ("yes", "no") else "command", name)

    def _plain(self, text: str) -> Part:
        return Part(text, text, self.language, text)

    def _to_type(self, text: str, program: re.Pattern[str]) -> Part:
        """A text with the program as it is typed here; spoken by its name, as nobody can follow a path."""
        shown = program.sub(lambda _: shell.typed([shell.program()]), text)
        return Part(shown, text, self.language, shown)

    def _value(self, value: object, spec: str) -> Iterator[Part]:
        match value:
            case tuple():
                yield from self._numbered(value) if spec == "numbered" else self._joined(value, spec)
            case Message():
                yield from self.parts(value)
            case Fact(meaning=meaning):
                yield from self._move(meaning, written_as=value.san, spec=spec)
            case MovePattern() | Castling():
                yield from self._move(value, written_as=written_moves.write(value), spec=spec)
            case Place():
                words = phrasing(self.convention, self.language)
                yield from self._announced(words.spans(value), words.place(value, spoken=False), str(value))
            case Check():
                said = phrasing(self.convention, self.language).check(value)
                yield Part(said.text, said.text, said.language, said.text)
            case Piece():
                yield self._plain(
                    vocabulary(self.language).say("plural" if spec == "many" else "piece", value)
                )
            case CommandName() | Command() | Wording():
                yield from self._example(value)
            case Duration(ms):
                yield from self._duration(ms)
            case Span() | ToType() | Distinct() | Called():
                yield self._as_written(value)
            case str() if value in COLOURS:
                yield self._plain(catalogue(self.language)[f"colour_{value}"])
            case _:
                told = plurals.decimal(value, self.language) if isinstance(value, float) else str(value)
                yield self._plain(printable(told))

    def _as_written(self, value: Span | ToType | Distinct | Called) -> Part:
        """A text in its own language, a command to type, a name, or a file, a rank or a piece in words."""
        if isinstance(value, Called):
            return self._plain(self._called(value))
        if isinstance(value, Distinct):
            from voices.grammar import distinct  # noqa: PLC0415 - few questions need it

            said = distinct.in_words(value, self.convention, self.language)
            letter = isinstance(value.said, Piece)
            spoken = distinct.aloud(value, self.convention, self.language)
            return Part(said.text, spoken, said.language, str(value.said), notation=letter)
        shown = printable(value.text)
        if isinstance(value, Span):
            return Part(shown, shown, value.language, shown)
        return Part(shown, printable(value.spoken), self.language, shown)

    def _example(self, value: CommandName | Command | Wording) -> Iterator[Part]:
        """A command as it can be said, about an example."""
        name = value if isinstance(value, CommandName) else value.name
        choice = "" if isinstance(value, CommandName) else value.choice
        number = value.number if isinstance(value, Wording) else 0
        words = phrasing(self.convention, self.language)
        shown = words.examples(name, choice)[number]
        return self._announced(words.example_spans(name, choice, number), shown, shown)

    def _called(self, value: Called) -> str:
        """The name of a language or a convention; the catalogue may say more than what chooses it."""
        called = vocabulary(self.language).say(CHOSEN[value.chosen], value.name)
        return catalogue(self.language).get(f"{value.chosen}_{value.name}", called)

    def _joined(self, values: tuple[object, ...], spec: str) -> Iterator[Part]:
        for n, value in enumerate(values):
            if n:
                yield self._plain("; " if spec == "listed" else ", ")
            yield from self._value(value, spec)

    def _numbered(self, values: tuple[object, ...]) -> Iterator[Part]:
        """Moves with their numbers, as on a scoresheet."""
        for n, value in enumerate(values):
            if isinstance(value, Fact):
                if value.colour == COLOURS[0]:
                    yield self._plain(f"{'; ' if n else ''}{value.number}. ")
                elif n == 0:  # without White's move before it, it would be taken for White's
                    yield self._plain(f"{value.number}. {catalogue(self.language)['colour_black']}: ")
                else:
                    yield self._plain(", ")
                yield from self._value(value, "")

    def _move(self, move: Move, *, written_as: str, spec: str) -> Iterator[Part]:
        if spec:
            move, written_as = replace(move, check=Check.NONE), written_as.rstrip("+#")
        if spec == "unpromoted" and isinstance(move, MovePattern):
            move, written_as = replace(move, promotion=None), written_as.split("=")[0]
        words = phrasing(self.convention, self.language)
        shown = words.move(move, spoken=False)
        yield from self._announced(words.spans(move), shown, written_as, notation=True)

    def _announced(
        self, spoken: tuple[Span, ...], shown: str, brief: str, *, notation: bool = False
    ) -> Iterator[Part]:
        """What is announced, in one stretch for each language; shown as one text if not as it is spoken."""
        first, *others = spoken
        alike = shown == " ".join(one.text for one in spoken)
        yield Part(first.text if alike else shown, first.text, first.language, brief, notation)
        for other in others:
            said = f" {other.text}"
            yield Part(said if alike else "", said, other.language, "")

    def _duration(self, ms: int) -> Iterator[Part]:
        """A time as a sentence of hours, minutes and seconds; the seconds are rounded down."""
        minutes, seconds = divmod(ms // 1000, 60)
        hours, minutes = divmod(minutes, 60)
        units = (("hours", hours), ("minutes", minutes), ("seconds", seconds))
        told = [(unit, count) for unit, count in units if count] or [("seconds", 0)]
        for n, (unit, count) in enumerate(told):
            if n:
                yield self._plain(" ")
            yield from self.parts(Message.of(unit, count=count))


def printable(text: str) -> str:
    """A text from outside as it may be shown: signs that steer a terminal or turn its lines are blanks."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def _ended(spans: Iterable[Span]) -> list[Span]:
    """Each stretch with the punctuation that ends it: at the beginning of the next, a voice reads "colon"."""
    ended: list[Span] = []
    for span in spans:
        rest = _PUNCTUATION.sub("", span.text) if ended else span.text
        if ended:
            ended[-1] = replace(ended[-1], text=ended[-1].text + span.text[: len(span.text) - len(rest)])
        ended.append(replace(span, text=rest))
    return ended


def _capital(text: str) -> str:
    first = len(text) - len(text.lstrip("¿¡"))
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]
