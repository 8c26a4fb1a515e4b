"""Staff lists as files, and how HR sends one."""

import io
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from exams.hr import staff_import
from exams.hr.models import StaffImport
from training.people.accounts import grant_role, withdraw_role
from training.people.models import Role, User

TITLES = "nome;e-mail;número;departamento;entrada;saída\n"


def send(client: Client, content: bytes | str, name: str = "lista.csv") -> Any:
    """What the page says once a worker has checked the list."""
    data = content.encode() if isinstance(content, str) else content
    sent = client.post("/hr/staff/", {"file": SimpleUploadedFile(name, data)})
    if sent.status_code != 302:
        return sent
    work()
    return client.get("/hr/staff/")


def confirm(client: Client) -> Any:
    """What the page says once a worker has applied the list."""
    assert client.post("/hr/staff/confirm/").status_code == 302
    work()
    return client.get("/hr/staff/")


def checked(importer: User, content: bytes | str) -> StaffImport:
    staff_import.upload(importer, "lista.csv", content.encode() if isinstance(content, str) else content)
    return work()


def applied_once(importer: User, content: str) -> None:
    """Apply a list as somebody who is in human resources only for that moment."""
    lent = Role.HR not in importer.roles
    grant_role(importer, Role.HR, granted_by=None)
    applied(importer, content)
    if lent:
        withdraw_role(importer, Role.HR)


def applied(importer: User, content: bytes | str = "") -> StaffImport:
    """The list after it was checked, unless it has been already, and applied."""
    if content:
        assert checked(importer, content).state == StaffImport.State.CHECKED
    staff_import.confirm(importer)
    return work()


def work() -> StaffImport:
    """The last list, once a worker has finished with it."""
    job = StaffImport.objects.latest("checked_at")
    while job.under_way:
        assert staff_import.go_on(job.pk)
        job.refresh_from_db()
    return job


def workbook(*rows: list[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
