"""Certificates issued, with document, QR code and credential, beside the least that a PDF costs: one line typeset."""

import time

from tests.bench.ground import platform, told
from tests.bench.table import Line, Target

SMALL, FULL = 10, 100  # certificates in each round
# Milliseconds of one process: a thousand in half a minute by two of them.
ISSUED = Target(60, of="figure")
MEASURE = "import json; from tests.bench.certificates import measure; print(json.dumps(measure({rounds}, {count})))"


def lines(*, rounds: int, full: bool) -> list[Line]:
    with platform() as installation:
        found = told(installation, MEASURE.format(rounds=rounds, count=FULL if full else SMALL))
    issued, typeset = map(tuple, zip(*found, strict=True))
    return [Line("issue one, with PDF and credential", "ms", issued, "one line typeset as PDF", typeset, ISSUED)]


def measure(rounds: int, count: int) -> list[tuple[float, float]]:
    """Inside the installation: milliseconds of a certificate and of a bare document, in turns, after a first pair."""
    import typst

    from exams.certificates import issuance, keys
    from exams.certificates.credential import credential
    from exams.certificates.document import document
    from tests.bench.inside import quick_passwords
    from tests.exams import making
    from tests.exams.certifying import make_result
    from tests.factories import PersonFactory

    quick_passwords()
    keys.key_in_use()
    version = making.make_version()
    found = []
    for _ in range(rounds + 1):
        results = [make_result(version, PersonFactory(name="Maria da Conceição Vasconcelos")) for _ in range(count)]
        started = time.perf_counter()
        for result in results:
            certificate = issuance.follow(result.pk)
            assert certificate
            assert document(certificate).startswith(b"%PDF")
            assert credential(certificate)
        issued = time.perf_counter()
        for result in results:
            typst.compile(f"Certificado {result.pk}".encode())
        found.append(((issued - started) / count * 1000, (time.perf_counter() - issued) / count * 1000))
    return found[1:]
