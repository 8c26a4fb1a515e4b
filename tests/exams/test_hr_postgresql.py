"""The HR desk on PostgreSQL: names without accents, scopes as text, past dates; and one key, one act, by several."""

from collections.abc import Callable

import pytest

from tests import furnished
from tests.running import Installation

SCRIPT = """
import json, threading
from datetime import timedelta
from django.db import connection
from django.test import Client
from exams import clock
from exams.certificates.models import Certificate
from exams.hr import exports, roster, selectors, staff
from exams.hr.selectors import Filters
from tests.exams.staffing import BOOK, OTHER, act, certify
from tests.exams import staffing
from tests.factories import PersonFactory
from training.api import tokens
from training.people.models import Role

today = clock.today()
day = lambda number: today + timedelta(days=number)
said = {}
joao = certify(staffing.staff("João Guimarães"), begins=day(-30), scope=(BOOK, OTHER))
certify(staffing.staff("Álvaro"), begins=day(-30), ends=day(5))
certify(staffing.staff("Zulmira", left_on=day(-1)), begins=day(-30))
act(joao, "reduce", day(-10), after="granted", scope=(BOOK,))
Certificate.objects.filter(pk=joao.pk).update(scope=[BOOK])
said["found"] = [who.name for who in selectors.people(Filters(q="guimaraes JOAO", rulebook=BOOK))]
said["ends"] = [each.holder.name for each in selectors.certificates(Filters(within=5, sort="until"))]
said["lapsed"] = [who.name for who in selectors.people(Filters(standing="lapsed", sort="until"))]
said["today"] = [(entry.name, entry.rulebook == BOOK) for entry in roster.entries(today)]
said["before"] = [entry.name for entry in roster.entries(day(-11), OTHER)]

hr = PersonFactory(roles=[Role.HR])
for what in ("people", "certificates", "roster"):
    made = exports.ask(hr, what=what, format="json", filters=Filters())
    exports.make(made.pk)
    made.refresh_from_db()
    said[what] = [row["name"] for row in json.loads((exports.directory() / made.file).read_text())]

_token, text = tokens.issue(hr, name="x", scopes=["certificates:write"], days=1)
statuses, ready = [], threading.Barrier(4)
def suspend():
    ready.wait()
    answer = Client(headers={"host": "localhost"}).post(
        f"/api/v1/certificates/{joao.pk}/acts/", {"act": "suspend", "reason": "x"}, content_type="application/json",
        headers={"Authorization": f"Bearer {text}", "Idempotency-Key": "one"},
    )
    statuses.append(answer.status_code)
    connection.close()
threads = [threading.Thread(target=suspend) for _number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
said["statuses"] = sorted(set(statuses) - {409})
said["suspensions"] = joao.acts.filter(kind="suspend").count()
print("SAID" + json.dumps(said))
"""


@pytest.mark.services
def test_the_desk_on_postgresql(install: Callable[..., Installation], postgres_url: str) -> None:
    said = furnished.said(install(DATABASE_URL=postgres_url), SCRIPT)
    assert said["found"] == ["João Guimarães"]
    assert said["ends"] == ["Álvaro"]
    assert said["lapsed"] == []
    assert said["today"] == [["Álvaro", True], ["João Guimarães", True]]
    assert said["before"] == ["João Guimarães"]
    assert said["roster"] == said["certificates"] == ["Álvaro", "João Guimarães"]
    assert {"Álvaro", "João Guimarães"} <= set(said["people"])
    assert "Zulmira" not in said["people"]
    assert (said["statuses"], said["suspensions"]) == ([200], 1)


STAFF_LIST = """
import json, time
from exams.audit.services import verify
from exams.hr.models import StaffRecord
from tests.exams.staff_lists import applied, checked
from training.people.accounts import enter_person
from training.people.models import Role, User

hr = enter_person(email="rh@casa.example", name="RH", roles=[Role.HR])
said = {"seconds": [], "active": []}
for left in ("", "2020-01-01", "2099-01-01"):
    rows = "".join(f"Pessoa {n};p{n}@casa.example;N{n};Mesas;{left}\\n" for n in range(2000))
    checked(hr, "nome;email;numero;seccao;saida\\n" + rows)
    begun = time.process_time()
    applied(hr)
    said["seconds"].append(time.process_time() - begun)
    said["active"].append(User.objects.filter(staff_record__department="Mesas", is_active=True).count())
said["broken"] = len(list(verify()))
said["records"] = StaffRecord.objects.count()
print("SAID" + json.dumps(said))
"""


@pytest.mark.services
def test_two_thousand_people_are_entered_leave_and_come_back_in_time(
    install: Callable[..., Installation], postgres_url: str
) -> None:
    said = furnished.said(install(DATABASE_URL=postgres_url), STAFF_LIST)
    assert said["active"] == [2000, 0, 2000] and said["records"] == 2000 and said["broken"] == 0
    assert max(said["seconds"]) < 10
