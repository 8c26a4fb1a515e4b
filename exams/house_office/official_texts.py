"""The official wording of a regulation, loaded by the house: read, compared with the rulebook, then confirmed.

The product ships none; a house loads what it may. `training.house.official_texts` finds the articles.
"""

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.house_office.rulings import verify_decides
from rules_engine import Rulebook
from training.house.models import OfficialText, PendingText
from training.house.official_texts import read_wording
from training.people.models import User
from training.platform.errors import ChangedMeanwhile, Refused, Unfit
from training.platform.uploads import reader

MAX_BYTES = 5 * 1024 * 1024
MAX_LETTERS = 500_000  # several regulations; finding articles in more would take long
MAX_PAGES = 400
MAX_SOURCE = 200
PDF = b"%PDF-"


class UnfitText(Unfit):
    field = "file"


def text_of(content: bytes) -> str:
    """The text of a plain text file or PDF. Raises UnfitText if there is none."""
    if len(content) > MAX_BYTES:
        raise UnfitText(_("The file is larger than %(limit)d MB.") % {"limit": MAX_BYTES // 1024 // 1024})
    text = _of_pdf(content) if content.startswith(PDF) else _plain(content)
    if len(text) > MAX_LETTERS:
        raise UnfitText(_("The text is too long to be a regulation."))
    if not text.strip():
        raise UnfitText(_("There is no text in it. A scan has only images: run text recognition (OCR) first."))
    return text.replace("\x00", "")


def _plain(content: bytes) -> str:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnfitText(_("This is neither plain text nor a PDF."))


def _of_pdf(content: bytes) -> str:
    try:
        text: str = reader.read("pdf", content, pages=MAX_PAGES, letters=MAX_LETTERS)
    except reader.Unreadable as why:
        raise UnfitText(_unreadable(why.code)) from None
    except reader.TooCostly:
        raise UnfitText(reader.too_costly()) from None
    return text


def _unreadable(code: str) -> str:
    messages = {
        "no_pdf": gettext("This PDF cannot be read."),
        "too_many_pages": gettext("The file has more than %(limit)d pages.") % {"limit": MAX_PAGES},
        "too_long": gettext("The text is too long to be a regulation."),
    }
    return messages[code]


@transaction.atomic
def propose(book: Rulebook, text: str, *, source: str, by: User) -> PendingText:
    """Read a text and keep its articles until somebody confirms them. Raises UnfitText if it has none."""
    verify_decides(by)
    found = read_wording(text, book)
    if not found.articles:
        raise UnfitText(_("No article of this rulebook was found in it."))
    pending, _new = PendingText.objects.update_or_create(
        rulebook=book.id,
        defaults={
            "source": " ".join(source.split())[:MAX_SOURCE],
            "articles": found.articles,
            "surplus": found.surplus,
            "read_by": by,
            "read_at": clock.now(),
        },
    )
    return pending


@transaction.atomic
def confirm(book: Rulebook, by: User, *, seen: str = "") -> OfficialText:
    """Show the pending text next to our summaries, replacing the former one. `seen` is the `read_at` of the text that
    was reviewed."""
    verify_decides(by)
    pending = PendingText.objects.select_for_update(no_key=True).filter(rulebook=book.id).first()
    if pending is None:
        raise Refused(_("There is nothing to confirm."))
    if seen and seen != pending.read_at.isoformat():
        raise ChangedMeanwhile(_("Another text has been read in the meantime. Look at that one before you confirm it."))
    loaded, _new = OfficialText.objects.update_or_create(
        rulebook=book.id,
        defaults={"source": pending.source, "articles": pending.articles, "loaded_by": by, "loaded_at": clock.now()},
    )
    pending.delete()
    record(by, "text.loaded", f"rulebook:{book.id}", rulebook=book.id, articles=len(loaded.articles))
    return loaded


@transaction.atomic
def discard(book: Rulebook, by: User) -> None:
    """Delete the unconfirmed text."""
    verify_decides(by)
    PendingText.objects.filter(rulebook=book.id).delete()


@transaction.atomic
def remove(book: Rulebook, by: User) -> None:
    verify_decides(by)
    deleted, _of = OfficialText.objects.filter(rulebook=book.id).delete()
    if not deleted:
        raise Refused(_("No text of this rulebook is loaded."))
    record(by, "text.removed", f"rulebook:{book.id}", rulebook=book.id)
