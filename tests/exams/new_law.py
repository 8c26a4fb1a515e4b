"""What the tests of a new version of the law share: who holds the old one, and who looks at the pages."""

from typing import Any
from zoneinfo import ZoneInfo

from django.test import Client

from exams.certificates.models import Certificate
from exams.programmes import refresher
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from rules_engine import Rulebook
from tests.amending import OLD
from tests.exams import making
from tests.exams.certifying import make_certificate
from tests.factories import PersonFactory
from training.people.models import Role, User

LISBON = ZoneInfo("Europe/Lisbon")
CDF, CDF_1995 = "pt-chemin-de-fer", "pt-chemin-de-fer-1995"


def black_jack(book: str = OLD, **changes: Any) -> Rules:
    lines = (Line(rulebook=book, topic="bets", items=2),)
    sections = (Section(key="bets", names={"pt": "Apostas", "en": "Bets"}, lines=lines),)
    return making.make_rules(rulebooks=(book,), sections=sections, **changes)


def holder_of(book: str = OLD, *, valid_months: int = 24, **facts: Any) -> Certificate:
    """The certificate of somebody who passed the whole exam on a version."""
    version = making.make_version(black_jack(book, valid_months=valid_months))
    return make_certificate(version, PersonFactory(roles=[Role.TRAINEE], **facts))


def signed(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def visit(role: Role, language: str = "en") -> Client:
    return signed(PersonFactory(roles=[role], language=language))


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


def drafted(new: Rulebook, by: User | None = None) -> ProgrammeVersion:
    return refresher.draft(new, by or PersonFactory(roles=[Role.HR]))
