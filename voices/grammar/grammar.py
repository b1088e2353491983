# SPDX-License-Identifier: GPL-3.0-or-later
"""The possible meanings -> what a recogniser listens for: everything, and what is expected now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product

from voices.meaning import (
    Answer,
    Castling,
    Check,
    ColourNamed,
    CommandName,
    Meaning,
    Move,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
)
from voices.phones import edits
from voices.words.conventions import DEFAULT, Way
from voices.words.conventions import convention as convention_of
from voices.words.lexicon import (
    RANKS,
    Help,
    Vocabulary,
    all_sounds,
    command_parts,
    fold,
    plain,
    split_command,
    vocabulary,
    words_of,
)
from voices.words.phrasing import Phrasing

_ANNOUNCEMENT = {
    "square": "<file> <rank>",
    "origin": "<file> | <rank> | <square>",
    # Noise after an announcement sounds like a piece: only a pawn on its last rank can become one.
    "last_square": "<file> <last_rank>",
    "becomes": "[<promotion>] <piece>",
    "to": "<square> [<en_passant>] | <last_square> <becomes>",
    "move": "[<piece>] [<origin>] [<capture>] <to> [<checks>]",
    "castle": "<castling> [<checks>]",
    # What lacks a part of its square. Noise after "Springer Felix drei" sounds like a file too, so that
    # only "takes" may stand between a square and a lone file or rank; other forms can be typed.
    "line": "<file> | <rank>",
    "takes": "<piece> [<origin>] <capture> [<line>] | (<file> | <square>) <capture> [<line>]",
    "begun": "<piece> <line> | <capture> <file> | <takes> [<en_passant>]",
}

# The rule of a slot with another name than its own.
_SLOT_RULES = {"piece": "<asked_piece>", "number": "<count>"}


@cache
def vocabularies(convention: str, language: str) -> tuple[Vocabulary, ...]:
    """What can be announced aloud; the program says the first."""
    return convention_of(convention, language).vocabularies


def pronunciations(convention: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """The recogniser's dictionary: each word in plain spelling with its ARPAbet pronunciations."""
    known = (words.sounds for words in _known(convention, language))
    return all_sounds(*known, *(help_.sounds for help_ in helps(convention, language)))


def spellings(convention: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """How the words of the dictionary are really spelled: "nao" -> ("não",)."""
    found: dict[str, tuple[str, ...]] = {}
    phrases = [
        phrase
        for words in _known(convention, language)
        for section in words.phrases
        for phrase, _ in words.all(section)
    ]
    for help_ in helps(convention, language):
        phrases += [*help_.joins, *(word for words in help_.words.values() for word in words)]
    for phrase in phrases:
        for word in map(fold, words_of(split_command(phrase)[0])):
            found[plain(word)] = tuple(dict.fromkeys((*found.get(plain(word), ()), word)))
    return found


def _known(convention: str, language: str) -> tuple[Vocabulary, ...]:
    """Everything that has words to be heard: FIDE's digits are, in every convention."""
    return (*vocabularies(convention, language), vocabulary(language), vocabulary(DEFAULT))


def helps(convention: str, language: str) -> tuple[Help, ...]:
    """What can follow a letter of the language, if the convention has letters and help for them."""
    found = convention_of(convention, language)
    spelt = any(words.name == language for words in found.spoken("file"))
    return (found.help,) if found.help and spelt else ()


def expectation(
    moves: Iterable[Move], convention: str, language: str, asked: Iterable[Meaning] = ()
) -> tuple[str, tuple[str, ...]]:
    """What a recogniser is given: the grammar of everything, and the phrases possible now.

    `asked` are the possible answers to the open question, besides yes and no. Numbers of several digits can
    be heard only if they are asked for: nothing else should have to wait for a second digit.
    """
    asked = tuple(asked)
    digits = any(isinstance(answer, Number) and str(answer.value) not in RANKS for answer in asked)
    phrases = (
        *announcements(moves, convention, language),
        *in_words(asked, convention, language),
        *answers(convention, language),
        *commands(language),
        *helped_commands(language),
    )
    return everything(convention, language, digits=digits), tuple(dict.fromkeys(phrases))


@cache
def everything(convention: str, language: str, *, digits: bool = False) -> str:
    """All announcements, complete or not, answers, numbers and commands as one grammar in JSGF 1.0.

    `digits`: numbers of up to four digits, said digit by digit, instead of a single one from 1 to 8.
    """
    spoken = convention_of(convention, language).spoken
    own = vocabulary(language)
    rules = {
        **rules_of_commands(convention, language),
        **{section: _values(spoken(section), section) for section in ("piece", "castling")},
        **{
            mark: _values(spoken("mark"), "mark", mark) for mark in ("capture", "check", "mate", "en_passant")
        },
        "last_rank": " | ".join(_values(spoken("rank"), "rank", rank) for rank in "18"),
        "checks": "<check> | <mate>",
        "promotion": _values(spoken("mark"), "mark", "promotion"),
        "either_castling": _values(spoken("mark"), "mark", "castle"),
        **_ANNOUNCEMENT,
        "yes_or_no": " | ".join(answers(convention, language)),
        "side": " | ".join(_sides(own)),
        "answer": "[<side>] <yes_or_no>",
        "order": " | ".join(_command_rules(own, frozenset(CommandName))),
        "command": f"<order> | ({_values((own,), 'command', 'help')}) <order>",
    }
    for help_ in helps(convention, language):
        # Contradictions can be said, so that they are not heard as something else; `hearing` rejects them.
        rules |= {
            "letter": _values((own,), "file"),
            "join": " | ".join(_said(help_, help_.joins)),
            "help": " | ".join(word for words in help_.words.values() for word in _said(help_, words)),
            "file": f"{rules['file']} | <letter> <join> <help>",
        }
    if not digits:
        del rules["digit"], rules["number"]
    either = " | <either_castling>" if rules["either_castling"] else ""
    rules["part"] = f"<file> | <begun> [<checks>]{either}"
    rules = {name: body for name, body in rules.items() if body}
    if "promotion" not in rules:
        rules["becomes"] = "<piece>"
    number = "<number>" if digits else "<rank>"
    utterance = f"<move> | <castle> | <answer> | {number} | <piece> | <command> | <part>"
    lines = [f"<{name}> = {body};" for name, body in rules.items()]
    return "\n".join(["#JSGF V1.0;", "grammar everything;", *lines, f"public <utterance> = {utterance};", ""])


def rules_of_commands(
    convention: str, language: str, names: Collection[str] = frozenset(CommandName)
) -> dict[str, str]:
    """The rules of the commands of these names in JSGF, with the places, pieces and numbers that are said."""
    spoken = convention_of(convention, language).spoken
    own = vocabulary(language)
    pieces = (_values((*spoken("piece"), own), "piece"), _values((own,), "plural"))
    return {
        "file": _values(spoken("file"), "file"),
        "rank": _values(spoken("rank"), "rank"),
        "square": _ANNOUNCEMENT["square"],
        "asked_piece": " | ".join(filter(None, pieces)),
        "digit": f"<rank> | {_values(_known(convention, language), 'number')}",
        "number": "<digit> [<digit>] [<digit>] [<digit>]",
        "count": " | ".join(_counts(convention, language)),
        "command": " | ".join(_command_rules(own, names)),
    }


def digits(convention: str, language: str) -> str:
    """Every digit as it can be said, in the words of the convention and in those of the language."""
    spoken = (*convention_of(convention, language).spoken("rank"), vocabulary(language))
    more = _values(_known(convention, language), "number")
    return " | ".join(filter(None, (_values(spoken, "rank"), more)))


def in_words(meanings: Iterable[Meaning], convention: str, language: str) -> tuple[str, ...]:
    """The meanings as they are said in each way to announce."""
    meanings = tuple(meanings)
    ways = (Phrasing(way, way["file"]) for way in convention_of(convention, language).ways)
    announced = [meaning for meaning in meanings if not isinstance(meaning, ColourNamed | Answer)]
    phrases = (plain_phrase(way.meaning(meaning, spoken=True)) for way in ways for meaning in announced)
    others = (phrase for meaning in meanings for phrase in _in_its_own_words(meaning, convention, language))
    more = (phrase for meaning in meanings for phrase in _in_more_words(meaning, convention, language))
    return tuple(dict.fromkeys((*phrases, *others, *more)))


def _in_more_words(meaning: Meaning, convention: str, language: str) -> Iterator[str]:
    """A file, a rank or a piece in all its words, and a letter with each word that makes it clear."""
    match meaning:
        case MovePattern(Place(str(file))) if meaning.file_alone:
            section, value = "file", file
        case Number(number) if str(number) in RANKS:
            section, value = "rank", str(number)
        case PieceNamed(piece, colour="") if piece:
            section, value = "piece", piece
        case _:
            return
    spoken = convention_of(convention, language).spoken(section)
    yield from map(plain_phrase, _sounding(spoken, section, value))
    for help_ in helps(convention, language) if section == "file" else ():
        letter = plain_phrase(vocabulary(language).say("file", value))
        ways = product(_said(help_, help_.joins), _said(help_, help_.words[value]))
        yield from (f"{letter} {join} {word}" for join, word in ways)


def _in_its_own_words(meaning: Meaning, convention: str, language: str) -> Iterator[str]:
    """A colour, or an answer perhaps of a side, in each way to say it in the language."""
    own = vocabulary(language)
    match meaning:
        case ColourNamed(colour):
            yield from map(plain_phrase, _sounding((own,), "colour", colour))
        case Answer(yes, colour):
            side = plain_phrase(own.say("colour", colour)) if colour else ""
            for phrase in _sounding(answering(convention, language), "answer", "yes" if yes else "no"):
                yield f"{side} {plain_phrase(phrase)}".strip()


def answers(convention: str, language: str) -> tuple[str, ...]:
    """Every spoken "yes" and "no"."""
    phrases = _sounding(answering(convention, language), "answer")
    return tuple(dict.fromkeys((*map(plain_phrase, phrases), *denials(convention, language))))


def denials(convention: str, language: str) -> tuple[str, ...]:
    """Every spoken "no" in the words of a yes: "not right"."""
    return tuple(map(plain_phrase, _sounding(answering(convention, language), "denial")))


def yeses(convention: str, language: str) -> Mapping[str, bool]:
    """Every spoken "yes", alone or of a side, and whether it is one of the language itself.

    They must be recognised more surely than other words, most of all the German one where another language is
    spoken: much is like a "ja". Where one sound alone makes it a yes of the language ("yeah"), it counts as
    one.
    """
    own = set(map(plain_phrase, _sounding((vocabulary(language),), "answer", "yes")))
    said = map(plain_phrase, _sounding(answering(convention, language), "answer", "yes"))
    sounds = pronunciations(convention, language)
    alone = {yes: yes in own or any(_alike(yes, mine, sounds) for mine in own) for yes in said}
    sides = _sides(vocabulary(language))
    return alone | {f"{side} {yes}": is_own for side in sides for yes, is_own in alone.items()}


def _alike(word: str, other: str, sounds: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether one sound alone makes a word another one; a phrase of several words is no word."""
    pairs = product(sounds.get(word, ()), sounds.get(other, ()))
    return any(edits(tuple(one.split()), tuple(two.split())) == 1 for one, two in pairs)


def answering(convention: str, language: str) -> tuple[Vocabulary, ...]:
    """Whose words say yes and no: the language's, and the German ones where squares are told in FIDE's words.

    To who says letters, "ja" and "nein" are mostly an "a", or "de", that was misheard.
    """
    squares, own = convention_of(convention, language).ways[0]["file"], vocabulary(language)
    return (squares, own) if squares.name == DEFAULT else (own,)


def _sides(own: Vocabulary) -> tuple[str, ...]:
    """The two sides as an answer names them, as in "Black yes"; other words for a colour are for squares."""
    return tuple(plain_phrase(own.say("colour", colour)) for colour in ("white", "black"))


def commands(language: str, names: Collection[str] = frozenset(CommandName)) -> tuple[str, ...]:
    """Every spoken command of these names that needs no piece or place."""
    phrases = map(split_command, _command_phrases(vocabulary(language), names))
    return tuple(dict.fromkeys(plain_phrase(literal) for literal, slots in phrases if not slots))


def helped_commands(language: str) -> tuple[str, ...]:
    """What asks for help on each of the `commands`: "help draw"."""
    help_ = plain_phrase(vocabulary(language).say("command", "help"))
    return tuple(f"{help_} {phrase}" for phrase in commands(language))


def announcements(moves: Iterable[Move], convention: str, language: str) -> tuple[str, ...]:
    """Every spoken form of the given moves (fully known ones), short and long, with and without "takes"."""
    moves = tuple(moves)
    found = convention_of(convention, language)
    phrases = (
        plain_phrase(phrase)
        for way in found.ways
        for move in moves
        for phrase in (*_forms(move, way), *_helped(move, way, found.letter_help(way["file"])))
    )
    return tuple(dict.fromkeys(phrases))


def plain_phrase(phrase: str) -> str:
    """A phrase as the recogniser writes it: plain words with single blanks."""
    return " ".join(map(plain, words_of(phrase)))


def _sounding(spoken: Iterable[Vocabulary], section: str, value: str | None = None) -> Iterator[str]:
    """The phrases of a section, without those that have a word with no known pronunciation."""
    for words in spoken:
        for phrase, name in words.all(section):
            if value in (None, name) and _is_heard(phrase, words):
                yield phrase


def _is_heard(phrase: str, words: Vocabulary) -> bool:
    """Whether every word of a phrase has a known pronunciation."""
    return all(plain(word) in words.sounds for word in words_of(split_command(phrase)[0]))


def _values(spoken: Iterable[Vocabulary], section: str, value: str | None = None) -> str:
    """The phrases of a section as alternatives of a rule."""
    return " | ".join(dict.fromkeys(map(plain_phrase, _sounding(spoken, section, value))))


def _counts(convention: str, language: str) -> Iterator[str]:
    """The numbers that a command can be about: ranks as they are announced, and the language's to 99."""
    own = vocabulary(language)
    yield _values((*convention_of(convention, language).spoken("rank"), own), "rank")
    yield _values((own,), "number", "9")
    yield _values((own,), "count")


def _command_phrases(own: Vocabulary, names: Collection[str]) -> Iterator[str]:
    return (phrase for phrase, name, _ in own.spoken_commands() if name in names and _is_heard(phrase, own))


def _command_rules(own: Vocabulary, names: Collection[str]) -> Iterator[str]:
    for phrase in _command_phrases(own, names):
        head, slots, tail = command_parts(phrase)
        rules = (_SLOT_RULES.get(slot, f"<{slot}>") for slot in slots)
        yield " ".join(filter(None, (plain_phrase(head), *rules, plain_phrase(tail))))


def _said(help_: Help, phrases: Iterable[str]) -> tuple[str, ...]:
    """The phrases of a help that can be heard, because every word has a known pronunciation."""
    said = dict.fromkeys(map(plain_phrase, phrases))
    return tuple(phrase for phrase in said if all(word in help_.sounds for word in phrase.split()))


def _forms(move: Move, way: Way) -> Iterator[str]:
    checks = ["", *_checks(move, way)]
    if isinstance(move, Castling):
        forms = way["castling"].phrases["castling"][move.side]
    else:
        aloud = Phrasing(way, way["file"])
        forms = tuple(aloud.without_check(form, spoken=True) for form in _patterns(move))
    yield from (f"{form} {check}" for form in forms for check in checks)


def _checks(move: Move, way: Way) -> Iterator[str]:
    if move.check is not Check.NONE:
        yield way["mark"].say("mark", "check" if move.check is Check.CHECK else "mate")


def _helped(move: Move, way: Way, help_: Help | None) -> Iterator[str]:
    """The shortest announcement of a move with help after its letter, with each possible word."""
    if help_ is None or isinstance(move, Castling) or not (file := move.target.file):
        return
    words = way["file"]
    piece = None if move.piece is Piece.PAWN else move.piece
    short = replace(move, piece=piece, origin=Place(), capture=False)
    for join, word in product(_said(help_, help_.joins), _said(help_, help_.words[file])):
        letter = f"{words.say('file', file)} {join} {word}"
        helped = replace(words, phrases={**words.phrases, "file": {file: (letter,)}})
        form = Phrasing({**way, "file": helped}, words).without_check(short, spoken=True)
        yield from (f"{form} {check}" for check in ("", *_checks(move, way)))


def _patterns(move: MovePattern) -> Iterator[MovePattern]:
    """Shorter ways to announce a move: less of the origin, no piece, no "takes", no "en passant"."""
    origins = (Place(), Place(file=move.origin.file), Place(rank=move.origin.rank), move.origin)
    for origin in origins:
        for piece in dict.fromkeys((move.piece, None)):
            if piece is None and move.piece is not Piece.PAWN and not origin.complete:
                continue
            for capture in {False, move.capture}:
                for en_passant in {False, move.en_passant}:
                    yield replace(move, piece=piece, origin=origin, capture=capture, en_passant=en_passant)
