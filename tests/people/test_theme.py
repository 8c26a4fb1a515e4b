"""Light or dark: the page links the dark colours as the device or the person wants them, without any script."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
PAGE = "/account/login/"


def linked(client: Client) -> str:
    """The condition under which the dark colours apply."""
    page = client.get(PAGE).content.decode()
    return page.split("dark.css")[1].split('media="')[1].split('"')[0]


def choose(client: Client, theme: str, page: str = PAGE) -> str:
    return client.post(reverse("set_theme"), {"theme": theme, "next": page}).headers["Location"]


def test_nobody_has_chosen_and_the_device_decides(client: Client) -> None:
    assert linked(client) == "screen and (prefers-color-scheme: dark)"


@pytest.mark.parametrize(("theme", "media"), [("dark", "screen"), ("light", "not all")])
def test_the_choice_is_remembered(client: Client, theme: str, media: str) -> None:
    assert choose(client, theme) == PAGE
    assert linked(client) == media
    assert client.cookies["theme"]["max-age"] == 365 * 24 * 60 * 60
    assert f'name="color-scheme" content="{theme}"' in client.get(PAGE).content.decode()


def test_automatic_forgets_the_choice(client: Client) -> None:
    choose(client, "dark")
    choose(client, "")
    assert linked(client) == "screen and (prefers-color-scheme: dark)"


@pytest.mark.parametrize("theme", ["pink", "screen", '"><script>'])
def test_an_unknown_theme_is_automatic(client: Client, theme: str) -> None:
    choose(client, theme)
    assert linked(client) == "screen and (prefers-color-scheme: dark)"
    client.cookies["theme"] = "pink"
    assert linked(client) == "screen and (prefers-color-scheme: dark)"


@pytest.mark.parametrize("page", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"])
def test_it_leads_to_no_other_site(client: Client, page: str) -> None:
    assert choose(client, "dark", page) == "/"
