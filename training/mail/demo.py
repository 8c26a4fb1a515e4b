"""The mails of the demo on a page. The demo has no mail server: it writes every mail to a file."""

from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from training.people.access import public

SHOWN = 30


@dataclass(frozen=True)
class DemoMail:
    to: str
    subject: str
    text: str
    written_at: datetime | None


@public
@require_safe
def demo_mail(request: HttpRequest) -> HttpResponse:
    """The latest mails with their texts; 404 outside the demo. The demo's passwords are public too."""
    if not settings.DEMO or not settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        raise Http404
    return render(request, "mail/demo.html", {"mails": _latest(Path(getattr(settings, "EMAIL_FILE_PATH", "")))})


def _latest(folder: Path) -> list[DemoMail]:
    """Newest first. Django separates several mails of one file by a line of dashes."""
    files = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime, reverse=True) if folder.is_dir() else []
    mails: list[DemoMail] = []
    for path in files[:SHOWN]:
        parts = path.read_bytes().split(b"\n" + b"-" * 79 + b"\n")
        mails += [_read(part) for part in reversed(parts) if part.strip()]
    return mails[:SHOWN]


def _read(data: bytes) -> DemoMail:
    message = BytesParser(EmailMessage, policy=default).parsebytes(data.lstrip())
    body = message.get_body(("plain",))
    date = message["date"]
    return DemoMail(
        str(message["to"]), str(message["subject"]), body.get_content() if body else "", date.datetime if date else None
    )
