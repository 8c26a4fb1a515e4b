"""Suspends published versions whose ruling changed with the engine or with the readings of the house."""

from typing import Any

import structlog

from rules_engine import Ruling
from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.house.readings import as_practised
from training.library import services
from training.library.models import Version, decisions
from training.library.moments import Moment, moments
from training.people.request import language
from training.platform.engine_json import as_stored

log = structlog.get_logger(__name__)


def check_published() -> list[Version]:
    """Rule again on every published version, suspend those whose ruling changed and return them. Idempotent."""
    suspended = []
    for pk in list(Version.objects.filter(state=Version.State.PUBLISHED).order_by("pk").values_list("pk", flat=True)):
        version = Version.objects.get(pk=pk)
        if _changed(version):
            suspended.append(version)
    return suspended


def _changed(version: Version) -> bool:
    """Suspend the version if the ruling on one of its moments changed; whether it was suspended."""
    for moment in moments(version):
        ruling, refusal = _rule(moment)
        if ruling is not None and settled(as_stored(ruling)) == settled(moment.ruling_document):
            continue
        if services.suspend(version, ruling=ruling, comment=refusal, moment=moment.number):
            log.warning("version_suspended", version=version.pk, moment=moment.number, refusal=refusal)
            return True
        return False
    return False


def _rule(moment: Moment) -> tuple[Ruling | None, str]:
    try:
        return as_practised(moment.scenario).solve(), ""
    except EngineError as error:
        return None, refusal(error, language())


def settled(ruling_document: Any) -> dict[str, Any]:
    """The values that a stored ruling decides, by question. Only these are compared: reasons may be reworded."""
    return {key: decision["value"] for key, decision in decisions(ruling_document).items()}
