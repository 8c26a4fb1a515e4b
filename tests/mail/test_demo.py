"""The demo shows its mails on a page; no other installation does."""

from pathlib import Path

import pytest
from django.core.mail import EmailMessage, get_connection
from django.test import Client, override_settings
from django.urls import reverse

FILES = "django.core.mail.backends.filebased.EmailBackend"


@pytest.mark.django_db
def test_the_demo_shows_its_mails_newest_first_with_links(client: Client, tmp_path: Path) -> None:
    with override_settings(DEMO=True, EMAIL_BACKEND=FILES, EMAIL_FILE_PATH=str(tmp_path)):
        assert client.get(reverse("demo_mail")).status_code == 200
        with get_connection() as connection:
            for subject in ("Olá", "Convite <b>"):
                text = "Abra http://localhost/account/x/ já."
                EmailMessage(subject, text, to=["ana@example.com"], connection=connection).send()
        page = client.get(reverse("demo_mail")).content.decode()
    assert page.index("Convite &lt;b&gt;") < page.index("Olá")
    assert '<a href="http://localhost/account/x/"' in page
    assert "ana@example.com" in page


@pytest.mark.django_db
@pytest.mark.parametrize(("demo", "backend"), [(False, FILES), (True, "django.core.mail.backends.smtp.EmailBackend")])
def test_no_other_installation_has_the_page(client: Client, tmp_path: Path, demo: bool, backend: str) -> None:
    with override_settings(DEMO=demo, EMAIL_BACKEND=backend, EMAIL_FILE_PATH=str(tmp_path)):
        assert client.get(reverse("demo_mail")).status_code == 404
