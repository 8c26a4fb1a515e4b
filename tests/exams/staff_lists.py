"""Staff lists as files, and how HR sends one."""

import io
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

TITLES = "nome;e-mail;número;departamento;entrada;saída\n"


def send(client: Client, content: bytes | str, name: str = "lista.csv") -> Any:
    data = content.encode() if isinstance(content, str) else content
    return client.post("/hr/staff/", {"file": SimpleUploadedFile(name, data)})


def workbook(*rows: list[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
