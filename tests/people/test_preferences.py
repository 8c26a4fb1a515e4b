"""Pages in the person's language and time zone."""

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils import timezone, translation

from training import urls
from training.people.access import public
from training.people.models import Role

pytestmark = pytest.mark.django_db


@public
def shown_as(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"{translation.get_language()} {timezone.get_current_timezone_name()}")


urlpatterns = [path("shown-as/", shown_as), *urls.urlpatterns]


@pytest.mark.urls(__name__)
class TestPreferences:
    def shown(self, client: Client, **headers: str) -> str:
        response = client.get("/shown-as/", headers=headers)
        assert response["Content-Language"] == response.content.decode().split()[0]
        return response.content.decode()

    def test_a_visitor_gets_the_browsers_language_and_the_houses_time(self, client: Client) -> None:
        assert self.shown(client) == "pt Europe/Lisbon"
        assert self.shown(client, **{"accept-language": "en-GB"}) == "en Europe/Lisbon"
        assert self.shown(client, **{"accept-language": "it-IT,it;q=0.9,en;q=0.5"}) == "it Europe/Lisbon"
        assert self.shown(client, **{"accept-language": "ca-ES,es-ES;q=0.8,en;q=0.5"}) == "es Europe/Lisbon"
        assert self.shown(client, **{"accept-language": "xx"}) == "pt Europe/Lisbon"

    def test_a_person_gets_their_own(self, signed_in: Callable[..., Client]) -> None:
        client = signed_in(Role.TRAINEE)
        client.person.language, client.person.time_zone = "en", "Atlantic/Azores"  # type: ignore[attr-defined]
        client.person.save()  # type: ignore[attr-defined]
        assert self.shown(client, **{"accept-language": "pt"}) == "en Atlantic/Azores"
        assert timezone.get_current_timezone_name() == "Europe/Lisbon"

    def test_a_chosen_language_stays_with_the_person_on_every_device(self, signed_in: Callable[..., Client]) -> None:
        client = signed_in(Role.TRAINEE)
        response = client.post("/language/", {"language": "en", "next": "/shown-as/"})
        assert (response.status_code, response["Location"]) == (302, "/shown-as/")
        assert self.shown(client).startswith("en ")
        other_device = Client()
        other_device.force_login(client.person)  # type: ignore[attr-defined]
        assert self.shown(other_device).startswith("en ")

    def test_another_site_does_not_choose_for_a_person(self, signed_in: Callable[..., Client]) -> None:
        person = signed_in(Role.TRAINEE).person  # type: ignore[attr-defined]
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(person)
        assert browser.post("/language/", {"language": "en"}).status_code == 403
        person.refresh_from_db()
        assert person.language == "pt"

    def test_a_visitors_choice_is_kept_in_the_browser(self, client: Client) -> None:
        client.post("/language/", {"language": "en", "next": "/shown-as/"})
        assert self.shown(client).startswith("en ")

    @pytest.mark.parametrize("language", ["", "fr", "x" * 5000, "../etc"])
    def test_a_language_we_do_not_speak_changes_nothing(self, signed_in: Callable[..., Client], language: str) -> None:
        client = signed_in(Role.TRAINEE)
        assert client.post("/language/", {"language": language, "next": "/"}).status_code == 302
        assert self.shown(client).startswith("pt ")

    def test_choosing_never_leads_to_another_site(self, client: Client) -> None:
        response = client.post("/language/", {"language": "en", "next": "https://evil.example/"})
        assert response["Location"] == "/"
        assert client.get("/language/").status_code == 405
