"""The library's sign-in forms speak as our pages do, in both languages."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import PersonFactory

PASSWORD = "a long enough passphrase"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "label", "refusal"),
    [
        ("en", "E-mail", "The e-mail address or the password is not right."),
        ("pt", "E-mail", "O e-mail ou a palavra-passe não estão certos."),
    ],
)
def test_signing_in(client: Client, language: str, label: str, refusal: str) -> None:
    headers = {"accept-language": language}
    page = client.get(reverse("account_login"), headers=headers).content.decode()
    assert f'<label for="id_login">{label}</label>' in page
    wrong = {"login": "ana@example.test", "password": "wrong"}
    assert refusal in client.post(reverse("account_login"), wrong, headers=headers).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "labels", "refusal"),
    [
        (
            "en",
            ["Current password", "New password", "New password (again)"],
            "The two passwords are not the same.",
        ),
        (
            "pt",
            ["Palavra-passe atual", "Nova palavra-passe", "Nova palavra-passe (repetir)"],
            "As duas palavras-passe não são iguais.",
        ),
    ],
)
def test_changing_the_password(client: Client, language: str, labels: list[str], refusal: str) -> None:
    person = PersonFactory(language=language)
    person.set_password(PASSWORD)
    person.save()
    client.force_login(person)
    address = reverse("account_change_password")
    page = client.get(address).content.decode()
    assert [label for label in labels if f">{label}</label>" not in page] == []
    given = {"oldpassword": PASSWORD, "password1": "quite another phrase", "password2": "and yet another phrase"}
    assert refusal in client.post(address, given).content.decode()
