"""Secrets sealed with another key of the installation: by command, and on record all the same."""

from exams.audit.services import record
from training.platform.sealing import Resealed


def resealed(found: dict[str, Resealed]) -> None:
    counts = {"sealed": sum(each.sealed for each in found.values()), "shut": sum(each.shut for each in found.values())}
    record(None, "secrets.resealed", "installation", **counts)
