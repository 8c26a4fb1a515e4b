"""PAdES signatures inside the PDF, for houses with their own document signing key."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import SigSeedSubFilter

FIELD = "Issuer"


def signed(document: bytes, *, by: str) -> bytes:
    """The document with an invisible signature appended; the original bytes stay unchanged."""
    metadata = signers.PdfSignatureMetadata(field_name=FIELD, name=by, subfilter=SigSeedSubFilter.PADES)
    signer = _signer(settings.CERTIFICATE_SIGNING_KEY, settings.CERTIFICATE_SIGNING_PASSWORD)
    made = BytesIO()
    # typst ends without a line break; PDF/A requires the appended part to start on a new line.
    unsigned = IncrementalPdfFileWriter(BytesIO(document + b"\n"))
    # pyHanko runs its own event loop, which fails in a thread that already has one.
    with ThreadPoolExecutor(max_workers=1) as apart:
        apart.submit(signers.sign_pdf, unsigned, metadata, signer=signer, output=made).result()
    return made.getvalue()


@lru_cache(maxsize=1)
def _signer(path: str, password: str) -> signers.SimpleSigner:
    signer: signers.SimpleSigner | None = signers.SimpleSigner.load_pkcs12(  # type: ignore[no-untyped-call]
        path, passphrase=password.encode() or None
    )
    if signer is None:
        raise ImproperlyConfigured("CERTIFICATE_SIGNING_KEY cannot be opened with CERTIFICATE_SIGNING_PASSWORD.")
    return signer
