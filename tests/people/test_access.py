"""Every page says who may see it, and only they do."""

from collections.abc import Callable, Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, path, resolve
from django.urls.resolvers import ResolverMatch
from django.views import View

from training import urls
from training.people.access import LIBRARY_ROUTES, allow, declared, public, signed_in
from training.people.models import Role

SignIn = Callable[..., Client]


def silent(request: HttpRequest) -> HttpResponse:
    return HttpResponse("seen")


@allow(Role.HR)
class ForHr(View):
    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse("seen")


urlpatterns = [
    path("silent/", silent),
    path("public/", public(lambda request: HttpResponse("seen"))),
    path("signed-in/", signed_in(lambda request: HttpResponse("seen"))),
    path("instructor/", allow(Role.INSTRUCTOR, Role.HR)(lambda request: HttpResponse("seen"))),
    path("hr/", ForHr.as_view()),
    *urls.urlpatterns,
]
own_urls = pytest.mark.urls(__name__)


def routes(resolver: URLResolver, namespaces: tuple[str, ...] = ()) -> Iterator[ResolverMatch]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield ResolverMatch(entry.callback, (), {}, entry.name, namespaces=list(namespaces))
        else:
            yield from routes(entry, (*namespaces, entry.namespace) if entry.namespace else namespaces)


def test_every_view_of_the_platform_says_who_may_see_it() -> None:
    found = list(routes(get_resolver(urls.__name__)))
    assert len(found) > 20
    assert [match.view_name or match.func for match in found if declared(match) is None] == []


def test_no_declaration_of_a_library_route_is_left_over() -> None:
    names = {match.view_name for match in routes(get_resolver(urls.__name__))}
    assert set(LIBRARY_ROUTES) - names == set()


def test_a_view_made_of_a_class_carries_the_declaration_of_the_class() -> None:
    access = declared(resolve("/hr/", __name__))
    assert access is not None
    assert access.roles == {Role.HR}


def test_allowing_nobody_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least one role"):
        allow()


TABLE = {
    "/public/": {None, *Role},
    "/signed-in/": set(Role),
    "/instructor/": {Role.INSTRUCTOR, Role.HR},
    "/hr/": {Role.HR},
    "/silent/": set(),
}


@own_urls
@pytest.mark.parametrize("address", TABLE)
@pytest.mark.parametrize("role", [None, *Role])
def test_who_sees_what(signed_in: SignIn, address: str, role: Role | None) -> None:
    client = signed_in(role) if role else Client()
    response = client.get(address)
    if role in TABLE[address]:
        assert response.status_code == 200
    elif role is None and address != "/silent/":
        assert (response.status_code, response["Location"]) == (302, f"/account/login/?next={address}")
    else:
        assert response.status_code == 403


@own_urls
def test_one_of_several_roles_is_enough(signed_in: SignIn) -> None:
    assert signed_in(Role.TRAINEE, Role.HR).get("/hr/").status_code == 200
    assert signed_in().get("/hr/").status_code == 403


@own_urls
def test_after_signing_in_a_visitor_comes_back_to_the_page_with_its_query(client: Client, db: None) -> None:
    assert client.get("/hr/?page=2")["Location"] == "/account/login/?next=/hr/%3Fpage%3D2"


@own_urls
def test_after_signing_in_nobody_is_sent_to_an_address_that_only_takes_posts(client: Client, db: None) -> None:
    assert client.post("/hr/")["Location"] == "/account/login/?next=/"


@own_urls
def test_a_page_fragment_sends_the_whole_page_to_sign_in(client: Client, db: None) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/practice/7"}
    response = client.get("/hr/", headers=headers)
    assert response.status_code == 200
    assert response["HX-Redirect"] == "/account/login/?next=/practice/7"


@pytest.mark.parametrize("address", ["/account/signup/", "/account/email/", "/account/confirm-email/"])
def test_nobody_signs_up_or_changes_an_address(signed_in: SignIn, client: Client, address: str) -> None:
    for visitor in (client, signed_in(Role.ADMINISTRATOR)):
        assert visitor.get(address).status_code == 404
        assert visitor.post(address, {"email": "new@casino.example"}).status_code == 404


def test_an_unknown_address_is_not_found_for_anybody(signed_in: SignIn, client: Client) -> None:
    assert client.get("/no-such-page/").status_code == 404
    assert signed_in(Role.ADMINISTRATOR).get("/no-such-page/").status_code == 404
