"""Results in plain words, in the reader's language."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exams.programmes.rules import Rules
from exams.results.decision import Outcome, Reason, SectionOutcome, outcome_from
from exams.results.models import Result

SHOWN = Decimal("0.01")


@dataclass(frozen=True)
class ToldSection:
    name: str
    percent: str  # empty where nothing of it counts
    needed: int
    passed: bool


@dataclass(frozen=True)
class ToldResult:
    """`passed` is the decision, `rule_passed` what the programme's rule says; `reasons` are the rule's."""

    result: Result
    passed: bool
    rule_passed: bool
    percent: str
    needed: int
    overall_enough: bool
    sections: list[ToldSection]
    reasons: list[str]


def percent(value: Decimal) -> str:
    """Rounded down: 69.9999 must never read as 70."""
    shown = value.quantize(SHOWN, rounding=ROUND_DOWN).normalize()
    return number_format(shown.quantize(Decimal(1)) if shown == shown.to_integral() else shown)


def tell(result: Result, language: str) -> ToldResult:
    outcome, rules = outcome_from(result.outcome), result.programme_version.rules
    return ToldResult(
        result=result,
        passed=result.passed,
        rule_passed=outcome.passed,
        percent=percent(result.score),
        needed=outcome.pass_mark,
        overall_enough=outcome.score.exact >= outcome.pass_mark,
        sections=told_sections(outcome, rules, language),
        reasons=told_reasons(outcome, rules, language),
    )


def told_sections(outcome: Outcome, rules: Rules, language: str) -> list[ToldSection]:
    return [_section(section, rules, language) for section in outcome.sections]


def told_reasons(outcome: Outcome, rules: Rules, language: str) -> list[str]:
    return [_reason(reason, rules, language) for reason in outcome.reasons]


def _section(section: SectionOutcome, rules: Rules, language: str) -> ToldSection:
    shown = percent(section.score.percent) if section.score.of else ""
    return ToldSection(rules.section_name(section.key, language), shown, section.pass_mark, section.passed)


def _reason(reason: Reason, rules: Rules, language: str) -> str:
    if reason.kind == "critical":
        made = int(reason.value)
        told = ngettext(
            "%(made)d question with a critical fault; %(allowed)d allowed.",
            "%(made)d questions with a critical fault; %(allowed)d allowed.",
            made,
        )
        return told % {"made": made, "allowed": reason.limit}
    values = {"reached": percent(Decimal(reason.value)), "needed": reason.limit}
    if reason.kind == "section":
        values["section"] = rules.section_name(reason.section, language)
        return _("%(section)s: %(reached)s%% scored, %(needed)s%% needed.") % values
    return _("Overall: %(reached)s%% scored, %(needed)s%% needed.") % values
