"""The addresses of the platform, and among them the yardsticks of pages and answers: one SELECT, one INSERT."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path

from training import urls
from training.people.access import signed_in
from training.people.models import User

PAGE = engines["django"].from_string(
    '{% extends "base.html" %}{% block content %}<h1>{{ one.name }}</h1>{% endblock %}'
)
TABLE = "CREATE TABLE bench_row (id bigserial PRIMARY KEY, text text NOT NULL)"


@signed_in
def select(request: HttpRequest) -> HttpResponse:
    """A page of the site, with its frame and menu, that asks the database for one row."""
    return HttpResponse(PAGE.render({"one": User.objects.first()}, request))


@signed_in
def insert(request: HttpRequest) -> HttpResponse:
    """A form of the site that stores one row and sends the browser on."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO bench_row (text) VALUES (%s)", [request.POST["text"]])
    return HttpResponse(status=302, headers={"Location": "/bench/select/"})


urlpatterns = [path("bench/select/", select), path("bench/insert/", insert), *urls.urlpatterns]
