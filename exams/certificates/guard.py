"""Database triggers that protect certificates; the allowed moves are those of `lifecycle.MOVES`."""

from exams.certificates.lifecycle import LIVE, MOVES
from training.platform.guards import FarGuard, Guard

KEPT = ("number", "code", "holder_id", "holder_name", "language", "programme_version_id", "result_id", "practice_id")
DATED = ("granted_at", "valid_from", "valid_until", "replaces_id", "status_index", "printed")


def _edges(before: str, after: str) -> list[str]:
    """SQL conditions for each allowed change of state."""
    pairs = {(old, new.value) for ways in MOVES.values() for old, new in ways.items() if old}
    return [f"({before} = '{old}' AND {after} = '{new}')" for old, new in sorted(pairs)]


def _acts() -> list[str]:
    """SQL conditions for each act with the states before and after."""
    return [
        f"(NEW.kind = '{kind.value}' AND NEW.state_before = '{old}' AND NEW.state_after = '{new.value}')"
        for kind, ways in MOVES.items()
        for old, new in ways.items()
    ]


_LIVE = ", ".join(f"'{state.value}'" for state in LIVE)
GUARDS = (
    Guard(
        "certificate_moves_only_along_its_life",
        "certificates_certificate",
        "a certificate never changes, except its state and scope by an allowed act",
        frozen=(*KEPT, *DATED),
        when=f"NOT (NEW.state = OLD.state OR {' OR '.join(_edges('OLD.state', 'NEW.state'))})"
        f" OR (OLD.state NOT IN ({_LIVE}) AND NEW.scope <> OLD.scope)",
    ),
    Guard(
        "certificate_begins_granted",
        "certificates_certificate",
        "a certificate starts as granted",
        event="INSERT",
        when="NEW.state <> 'granted'",
    ),
    Guard("certificate_is_never_removed", "certificates_certificate", "a certificate is never deleted", event="DELETE"),
    Guard("certificate_act_never_changes", "certificates_act", "an act never changes"),
    Guard("certificate_act_is_never_removed", "certificates_act", "an act is never deleted", event="DELETE"),
    Guard(
        "certificate_act_follows_the_life",
        "certificates_act",
        "this act is not allowed in this state",
        event="INSERT",
        when=f"NOT ({' OR '.join(_acts())})",
    ),
    Guard(
        "signing_key_is_published_for_ever",
        "certificates_signingkey",
        "a published key never changes",
        frozen=("kid", "public_jwk", "made_at"),
        when="OLD.retired_at IS NOT NULL AND NEW.retired_at IS NULL",
    ),
    Guard(
        "issue_request_stays_as_asked",
        "certificates_issuerequest",
        "a request for a certificate keeps what was requested",
        frozen=("result_id", "name", "reason", "asked_by_id", "asked_at"),
    ),
    Guard(
        "issue_request_is_decided_once",
        "certificates_issuerequest",
        "a request for a certificate is decided only once",
        while_="OLD.decided_at IS NOT NULL",
        frozen=("decided_by_id", "decided_at", "accepted"),
    ),
    Guard(
        "issue_request_is_never_removed",
        "certificates_issuerequest",
        "a request for a certificate is never deleted",
        event="DELETE",
    ),
    Guard(
        "signing_key_is_never_removed", "certificates_signingkey", "a published key is never deleted", event="DELETE"
    ),
)
FAR_GUARDS = (
    FarGuard(
        "certificate_needs_the_practical_exam",
        "certificates_certificate",
        "this programme also requires the practical exam",
        event="INSERT",
        found="SELECT 1 FROM programmes_programmeversion version WHERE version.id = NEW.programme_version_id "
        "AND NEW.result_id IS NOT NULL AND version.rules_document ->> 'practical' IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM results_result practice JOIN records_sitting sat ON sat.id = practice.sitting_id "
        "JOIN records_candidate entered ON entered.id = sat.candidate_id "
        "JOIN records_session held ON held.id = entered.session_id "
        "JOIN programmes_programmeversion sat_under ON sat_under.id = practice.programme_version_id "
        "WHERE practice.id = NEW.practice_id AND sat_under.programme_id = version.programme_id "
        "AND practice.passed AND practice.decided_at IS NOT NULL "
        "AND sat.annulled_at IS NULL AND held.part = 'practice' AND entered.person_id = NEW.holder_id)",
        needs=("programmes_programmeversion", "results_result", "records_sitting", "records_session.part"),
    ),
    FarGuard(
        "practical_exam_alone_gives_no_certificate",
        "certificates_certificate",
        "a practical exam gives a certificate only together with the theory",
        event="INSERT",
        found="SELECT 1 FROM results_result result JOIN records_sitting sat ON sat.id = result.sitting_id "
        "JOIN records_candidate entered ON entered.id = sat.candidate_id "
        "JOIN records_session held ON held.id = entered.session_id "
        "WHERE result.id = NEW.result_id AND held.part = 'practice'",
        needs=("results_result", "records_sitting", "records_session.part"),
    ),
    FarGuard(
        "annulled_sitting_gives_no_certificate",
        "certificates_certificate",
        "an annulled sitting gives no certificate",
        event="INSERT",
        found="SELECT 1 FROM results_result result JOIN records_sitting sat ON sat.id = result.sitting_id "
        "WHERE result.id = NEW.result_id AND sat.annulled_at IS NOT NULL",
        needs=("results_result", "records_sitting.annulled_at"),
    ),
    FarGuard(
        "certificate_prints_the_name_of_the_candidate",
        "certificates_certificate",
        "a certificate prints the name of the candidate, or the name two people accepted since",
        event="INSERT",
        found="SELECT 1 FROM results_result result JOIN records_sitting sat ON sat.id = result.sitting_id "
        "JOIN records_candidate entered ON entered.id = sat.candidate_id WHERE result.id = NEW.result_id "
        "AND NEW.holder_name <> COALESCE((SELECT last.name FROM certificates_namecorrection last WHERE last.accepted "
        "AND last.holder_id = entered.person_id AND last.decided_at >= entered.entered_at "
        "ORDER BY last.decided_at DESC, last.id DESC LIMIT 1), NULLIF(entered.name, ''), sat.name)",
        needs=("results_result", "records_sitting", "records_candidate.name", "certificates_namecorrection"),
    ),
    FarGuard(
        "certificate_needs_an_identity_or_two_people",
        "certificates_certificate",
        "without a confirmed identity a certificate takes two people",
        event="INSERT",
        # A certificate reissued to correct a name is for the same exam and has two signatures of its own.
        found="SELECT 1 FROM results_result result WHERE result.id = NEW.result_id "
        "AND COALESCE((SELECT event.kind FROM records_event event WHERE event.sitting_id = result.sitting_id "
        "AND event.kind IN ('identity', 'device') ORDER BY event.at DESC, event.id DESC LIMIT 1), '') <> 'identity' "
        "AND NOT EXISTS (SELECT 1 FROM certificates_issuerequest asked WHERE asked.result_id = result.id "
        "AND asked.accepted) AND NOT EXISTS (SELECT 1 FROM certificates_certificate former "
        "WHERE former.id = NEW.replaces_id AND former.result_id = NEW.result_id)",
        needs=("results_result", "records_event", "certificates_issuerequest"),
    ),
)
