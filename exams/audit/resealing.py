"""Records that stored secrets were re-encrypted with another key."""

from exams.audit.services import record
from training.platform.sealing import Resealed


def resealed(found: dict[str, Resealed]) -> None:
    counts = {"sealed": sum(each.sealed for each in found.values()), "shut": sum(each.shut for each in found.values())}
    record(None, "secrets.resealed", "installation", **counts)
