"""Records that stored secrets were re-encrypted with another key."""

from exams.audit.services import record
from training.platform.sealing import Resealed


def resealed(found: list[Resealed]) -> None:
    sealed, shut = sum(kind.sealed for kind in found), sum(kind.shut for kind in found)
    record(None, "secrets.resealed", "installation", sealed=sealed, shut=shut)
