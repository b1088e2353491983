# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of an edition by topic: sentences made from the edition's data, each with its article."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from acessivel.laws.editions import LADDERS, Edition, Points, Rules
from acessivel.laws.ruling import cited
from acessivel.message import Duration, Message


def topics(edition: Edition) -> tuple[str, ...]:
    """The topics on which the edition has a rule, in the order of the Laws."""
    return tuple(topic for topic in _TOPICS if any(True for _ in _TOPICS[topic](edition)))


def rule(topic: str, edition: Edition) -> tuple[Message, ...]:
    """An edition's rule on a topic, each sentence with its article. Raises KeyError if the topic is unknown.

    Where rapid or blitz differ from standard play, with full supervision or without, their sentences follow.
    Where the edition is silent, the sentence says so, and what applies instead.
    """
    told = tuple(dict.fromkeys(_TOPICS[topic](edition)))
    return told or (_say(edition.rules(), "unregulated", "rule_silent"),)


def named(name: str, names: Mapping[str, Sequence[str]]) -> str | None:
    """The topic that a user means, by its own name or those in a language (`names`: topic -> these)."""
    wanted = _plain(name)
    return next((t for t in _TOPICS if wanted in map(_plain, (t, *names.get(t, ())))), None)


def _plain(name: str) -> str:
    """A name as it may be typed: without accents, spaces and capitals."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(c for c in letters if c.isalnum())


def all_topics() -> tuple[str, ...]:
    """The names of all topics."""
    return tuple(_TOPICS)


def _say(rules: Rules, topic: str, key: str, **values: object) -> Message:
    return cited(Message.of(key, **values), *rules.cite(topic))


def _differing(edition: Edition) -> Iterator[Rules]:
    """Rapid, then blitz, each with and without full supervision: where they can differ from standard play."""
    for tempo in ("rapid", "blitz"):
        yield edition.rules(tempo)
        yield edition.rules(tempo, supervised=False)


def _at(rules: Rules, sentence: Message) -> Message:
    """A sentence that applies to one tempo, and from 2009 on only where not every board is watched."""
    if rules.supervised or not rules.regulates("supervision"):
        return Message.of("rule_rapid" if rules.tempo == "rapid" else "rule_blitz", sentence=sentence)
    key = "rule_rapid_alone" if rules.tempo == "rapid" else "rule_blitz_alone"
    return Message.of(key, sentence=sentence)


def _tempo(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if not rules.regulates("rapid"):
        return
    blitz, rapid = Duration(edition.blitz_to_ms), Duration(edition.rapid_to_ms)
    yield _say(
        rules, "blitz", "rule_blitz_up_to" if edition.blitz_to_included else "rule_blitz_below", time=blitz
    )
    yield _say(
        rules,
        "rapid",
        "rule_rapid_up_to" if edition.rapid_to_included else "rule_rapid_below",
        start=blitz,
        time=rapid,
    )
    if edition.increment_moves:
        yield _say(rules, "rapid", "rule_increments", count=edition.increment_moves)


def _supervision(edition: Edition) -> Iterator[Message]:
    for rules in (edition.rules("rapid"), edition.rules("blitz")):
        if not rules.supervised_games:
            continue
        yield _say(rules, "supervision", "rule_supervision", count=rules.supervised_games)
        if rules.supervised_record:
            yield _say(rules, "supervision", "rule_supervision_record")


def _controls(edition: Edition) -> Iterator[Message]:
    if edition.controls:
        yield _say(edition.rules(), "controls", "rule_controls", controls=edition.controls)
    if edition.rounds:
        yield _say(edition.rules(), "controls", "rule_rounds", count=edition.rounds)


def _late(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("late"):
        key = "rule_late_event" if rules.late_by_event else "rule_late" if rules.late_ms else "rule_late_none"
        yield _say(rules, "late", key, **({"time": Duration(rules.late_ms)} if key == "rule_late" else {}))


def _clock(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    yield _say(rules, "complete", "rule_complete_next" if rules.complete_by_next_move else "rule_complete")
    if rules.regulates("periods"):
        yield _say(rules, "periods", "rule_periods")
    if rules.regulates("clock_stop"):
        yield _say(rules, "clock_stop", "rule_clock_stop")


def _flag(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    yield _say(rules, "flag", "rule_flag_draw" if rules.flag_draw else "rule_flag")
    for other in _differing(edition):
        if other.flag_called_by == "players":
            yield _at(other, _say(other, "flag_seen", "rule_flag_players"))
        elif not other.supervised and other.regulates("flag_seen"):
            yield _at(other, _say(other, "flag_seen", "rule_flag_arbiter"))
        if other.flag_needs_time:
            yield _at(other, _say(other, "flag_claim", "rule_flag_time"))
    yield from _flags_draw(edition)


def _both_flags(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.both_flags == "period":
        yield _say(rules, "both_flags", "rule_flags_continue")
        yield _say(rules, "both_flags_last", "rule_flags_last")
    yield from _flags_draw(edition)


def _flags_draw(edition: Edition) -> Iterator[Message]:
    for other in _differing(edition):
        if other.both_flags == "draw":
            yield _at(other, _say(other, "both_flags", "rule_flags_draw"))


def _quickplay(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.quickplay:
        values = {"time": Duration(rules.quickplay_ms), "bonus": Duration(rules.quickplay_bonus_ms)}
        yield _say(rules, "quickplay", "rule_quickplay", **values)
        yield _say(rules, "quickplay_alone", "rule_quickplay_alone")
        for other in _differing(edition):
            if not other.quickplay:
                yield _at(other, _say(other, "quickplay", "rule_quickplay_none"))


def _record(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.record:
        yield _say(rules, "record", "rule_record")
        yield _say(
            rules,
            "record_time",
            "rule_record_time",
            time=Duration(rules.record_under_ms),
            increment=Duration(rules.record_increment_ms),
        )
        yield _say(edition.rules("rapid"), "record", "rule_record_rapid")
    if rules.regulates("sign"):
        yield _say(rules, "sign", "rule_sign")
    if rules.long_notation:
        yield _say(rules, "notation", "rule_notation_long")


def _agreement(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if not rules.regulates("agreement"):
        return
    yield _say(rules, "agreement", "rule_agreement_moved" if rules.agreement_moves else "rule_agreement")
    if rules.agreement_limits:
        yield _say(rules, "agreement_event", "rule_agreement_event")
    yield _say(rules, "offer", "rule_offer")
    yield _say(rules, "offer_record", "rule_offer_record")


def _repetition(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.claims:
        yield _say(rules, "threefold", "rule_threefold")
        key = {
            "altered": "rule_identity_altered",
            "king": "rule_identity_king",
            "king_or_rook": "rule_identity_king_or_rook",
        }[rules.castling_identity]
        yield _say(rules, "identical", key)
    if rules.repetitions:
        yield _say(rules, "fivefold", "rule_fivefold", count=rules.repetitions)
    if rules.same_moves:
        yield _say(rules, "same_move", "rule_same_move", count=rules.same_moves)


def _fifty(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.claims:
        yield _say(rules, "fifty", "rule_fifty")
    if rules.quiet_moves:
        yield _say(rules, "moves75", "rule_quiet", count=rules.quiet_moves)


def _claims(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if not rules.claims:
        return
    yield _say(rules, "threefold", "rule_claim_fixed" if rules.claim_fixed else "rule_claim_written")
    yield _say(rules, "claim_lost", "rule_claim_touch" if rules.claim_until == "touch" else "rule_claim_move")
    yield _say(rules, "claim_wrong", "rule_claim_wrong", time=Duration(rules.wrong_claim_ms))
    if rules.wrong_claim_halves:
        yield _say(rules, "claim_wrong", "rule_claim_halves")
    blitz = edition.rules("blitz")
    if blitz.wrong_claim_ms != rules.wrong_claim_ms:
        yield _say(blitz, "blitz_penalty", "rule_blitz_penalty", time=Duration(blitz.wrong_claim_ms))


def _dead(edition: Edition) -> Iterator[Message]:
    yield _say(edition.rules(), "dead", "rule_dead")
    yield _say(edition.rules(), "stalemate", "rule_stalemate")


def _touch(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    yield _say(rules, "touch_own", "rule_touch_own" if rules.touch == "touched" else "rule_touch_moved")
    yield _say(rules, "touch_other", "rule_touch_other")
    if rules.touch == "touched":
        yield _say(rules, "touch_both", "rule_touch_both")
    yield _say(rules, "touch_free", "rule_touch_free")
    if rules.regulates("touch_claim"):
        yield _say(rules, "touch_claim", "rule_touch_claim")
    for other in _differing(edition):
        if not other.touch_unasked:
            yield _at(other, _say(other, "touch_claim", "rule_touch_asked"))


def _castling(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    yield _say(rules, "castle_king_rook", "rule_castle_king_rook")
    yield _say(rules, "castle_rook_king", "rule_castle_rook_king")
    yield _say(rules, "castle_illegal", "rule_castle_illegal")


def _adjust(edition: Edition) -> Iterator[Message]:
    yield _say(edition.rules(), "adjust", "rule_adjust")


def _illegal(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    yield _say(rules, "illegal", "rule_illegal")
    yield _ladder(rules)
    if rules.illegal_draw:
        yield _say(rules, "illegal_penalty", "rule_illegal_draw")
    for other in _differing(edition):
        if other.illegal != rules.illegal:
            yield _at(other, _ladder(other))
        if other.illegal_draw and not rules.illegal_draw:
            yield _at(other, _say(other, "illegal_penalty", "rule_illegal_draw"))
        if other.illegal_until != "end":
            until = "rule_illegal_touch" if other.illegal_until == "touch" else "rule_illegal_move"
            yield _at(other, _say(other, "illegal_claim", until))
        if not other.illegal_unasked:
            yield _at(other, _say(other, "illegal_claim", "rule_illegal_asked"))
    blitz = edition.rules("blitz")
    if blitz.penalty_ms != rules.penalty_ms:
        yield _say(blitz, "blitz_penalty", "rule_blitz_penalty", time=Duration(blitz.penalty_ms))


def _ladder(rules: Rules) -> Message:
    """The penalties for the first, second, third illegal move."""
    key = LADDERS[rules.illegal]
    timed = {"time": Duration(rules.penalty_ms)} if "time" in rules.illegal else {}
    return _say(rules, "illegal_penalty", key, **timed)


def _promotion(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    key = {
        "illegal": "rule_promotion_illegal",
        "queen": "rule_promotion_queen",
        "finish": "rule_promotion_finish",
    }[rules.promotion]
    yield _say(rules, "promotion", key)
    for other in _differing(edition):
        if other.promotion_seen == "waits":
            yield _at(other, _say(other, "illegal_seen", "rule_promotion_waits"))
    if rules.regulates("promotion_choice"):
        yield _say(rules, "promotion_choice", "rule_promotion_choice")


def _press(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("pressed"):
        yield _say(
            rules,
            "pressed",
            "rule_pressed_illegal" if rules.pressed == "illegal" else "rule_pressed_arbiter",
        )
    yield _say(
        rules,
        "two_hands",
        "rule_two_hands_illegal" if rules.two_hands == "illegal" else "rule_two_hands_arbiter",
    )


def _setup(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("colours"):
        if rules.colours_moves:
            yield _say(rules, "colours", "rule_colours", count=rules.colours_moves)
        else:
            yield _say(rules, "colours", "rule_colours_arbiter")
    if rules.regulates("board"):
        yield _say(rules, "start", "rule_start")
        yield _say(rules, "board", "rule_board")
    if rules.regulates("clock_setting"):
        yield _say(rules, "clock_setting", "rule_clock_setting")
    for other in _differing(edition):
        if other.setup_moves:
            key = (
                "rule_setup_king_queen"
                if other.setup_castling == "king_and_queen"
                else "rule_setup_misplaced"
            )
            yield _at(other, _say(other, "start_late", key, count=other.setup_moves))


def _displaced(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("displaced"):
        yield _say(rules, "displaced", "rule_displaced")
        yield _say(rules, "displaced_found", "rule_displaced_found")


def _check(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("check"):
        yield _say(rules, "check", "rule_check_said" if rules.announce_check else "rule_check_silent")


# The points of the blind players' appendix, in its order.
_BLIND = (
    ("1", "rule_blind_announce"),
    ("2", "rule_blind_touch"),
    ("3", "rule_blind_made"),
    ("4", "rule_blind_clock"),
    ("5", "rule_blind_record"),
    ("6", "rule_blind_slip"),
    ("7", "rule_blind_boards"),
    ("8", "rule_blind_sheets"),
    ("9", "rule_blind_assistant"),
)


def _blind(edition: Edition) -> Iterator[Message]:
    article, book = edition.rules().cite("blind")
    for point, key in _BLIND:
        yield cited(Message.of(key), f"{article}.{point}", book)
        if point == "1" and edition.rules().promotion_named:
            yield cited(Message.of("rule_blind_promotion"), f"{article}.1", book)


def _adjournment(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("adjourn_seal"):
        yield _say(rules, "adjourn_seal", "rule_adjourn_seal")
        yield _say(rules, "adjourn_seal", "rule_adjourn_early")
        yield _say(rules, "adjourn_envelope", "rule_adjourn_envelope")
        yield _say(rules, "adjourn_open", "rule_adjourn_open")
        yield _say(rules, "adjourn_bad_move", "rule_adjourn_bad_move")
        yield _say(rules, "adjourn_late", "rule_adjourn_late", time=Duration(rules.adjourn_late_ms))
        yield _say(rules, "adjourn_missing", "rule_adjourn_missing")
        yield _say(rules, "adjourn_present", "rule_adjourn_absent")


def _variant(edition: Edition) -> Iterator[Message]:
    yield _say(edition.rules(), "chess960", "rule_variant")


def _score(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("score"):
        yield _say(rules, "score", "rule_score", **_worth(edition.points))
    if edition.team_points:
        values = {**_worth(edition.team_points), "absent": _number(edition.team_points.absent)}
        yield _say(rules, "team_score", "rule_team_score", **values)
    if rules.regulates("tie_breaks"):
        yield _say(rules, "tie_breaks", "rule_tie_breaks")
        yield _say(rules, "tie_breaks", "rule_tie_breaks_round_robin")
        yield _say(rules, "tie_breaks", "rule_tie_breaks_swiss")


def _worth(points: Points) -> dict[str, object]:
    return {"win": _number(points.win), "draw": _number(points.draw), "loss": _number(points.loss)}


def _number(points: float) -> Message | str:
    return Message.of("half") if points == 0.5 else f"{points:g}"


def _arbiter(edition: Edition) -> Iterator[Message]:
    rules = edition.rules()
    if rules.regulates("arbiter"):
        yield _say(rules, "arbiter", "rule_arbiter")
        yield _say(rules, "arbiter_time", "rule_arbiter_time")
    else:
        yield _say(rules, "unregulated", "rule_organisers")


_TOPICS: Mapping[str, Callable[[Edition], Iterator[Message]]] = MappingProxyType(
    {
        "tempo": _tempo,
        "supervision": _supervision,
        "controls": _controls,
        "touch": _touch,
        "castling": _castling,
        "adjust": _adjust,
        "check": _check,
        "late": _late,
        "clock": _clock,
        "flag": _flag,
        "both_flags": _both_flags,
        "illegal": _illegal,
        "promotion": _promotion,
        "press": _press,
        "setup": _setup,
        "displaced": _displaced,
        "record": _record,
        "agreement": _agreement,
        "repetition": _repetition,
        "fifty": _fifty,
        "claims": _claims,
        "dead": _dead,
        "quickplay": _quickplay,
        "score": _score,
        "adjournment": _adjournment,
        "blind": _blind,
        "variant": _variant,
        "arbiter": _arbiter,
    }
)
