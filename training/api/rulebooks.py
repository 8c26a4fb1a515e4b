"""Rulebooks, their topics and their articles."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine import RULEBOOKS, Rulebook, topics
from rules_engine.narration import topic_name
from training.api.base import ApiView
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language
from training.rulebooks import selectors

READERS = (Role.TRAINEE, Role.INSTRUCTOR)


class TopicOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()


class RulebookOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    game_name = serializers.CharField(help_text="The name of the game, to group by")
    language = serializers.CharField(help_text="The language spoken at its tables")
    currency = serializers.CharField()
    articles = serializers.IntegerField(help_text="The number of its clauses")
    topics = TopicOut(many=True)


class ReadingOut(serializers.Serializer[Any]):
    """How an open question of the text is read."""

    question = serializers.CharField()
    reading = serializers.CharField()


class ArticleOut(serializers.Serializer[Any]):
    cite = serializers.CharField(source="row.cite")
    shown = serializers.CharField(help_text="The usual spelling of the citation")
    kind = serializers.CharField(source="row.kind")
    text = serializers.CharField(help_text="What the clause says, in our own words")
    language = serializers.CharField(help_text="Of the text: the reader's, or English if there is no translation")
    topics = serializers.ListField(child=serializers.CharField())
    reading = ReadingOut(allow_null=True)
    practised = serializers.IntegerField(help_text="Answers given to scenarios that turned on it")
    missed = serializers.IntegerField(help_text="Of these, answers that were not fully right")


class ArticlesAsked(serializers.Serializer[Any]):
    topic = serializers.CharField(required=False, default="")
    words = serializers.CharField(required=False, default="", max_length=100)


def book_of(id: str) -> Rulebook:
    if id not in RULEBOOKS:
        raise Http404
    return RULEBOOKS[id]


def write_rulebook(book: Rulebook) -> dict[str, Any]:
    return {
        "id": book.id,
        "name": book.name(language()),
        "game": book.game.id,
        "game_name": book.game.name(language()),
        "language": book.language,
        "currency": book.currency,
        "articles": len(book.law.clauses),
        "topics": write_topics(book.id, topics(book.id)),
    }


def write_topics(book_id: str, ids: Iterable[str]) -> list[dict[str, str]]:
    return [{"id": id, "name": topic_name(book_id, id, language())} for id in ids]


@allow(*READERS)
class RulebooksView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=RulebookOut(many=True))
    def get(self, request: Request) -> Response:
        """List all rulebooks, by game."""
        return self.listed(list(RULEBOOKS.values()), lambda page: map(write_rulebook, page))


@allow(*READERS)
class RulebookView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=RulebookOut)
    def get(self, request: Request, book_id: str) -> Response:
        """Get a rulebook."""
        return Response(write_rulebook(book_of(book_id)))


@allow(*READERS)
class TopicsView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=TopicOut(many=True))
    def get(self, request: Request, book_id: str) -> Response:
        """List the topics of a rulebook, in teaching order."""
        return self.listed(topics(book_of(book_id).id), partial(write_topics, book_id))


@allow(*READERS)
class ArticlesView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(parameters=[ArticlesAsked], responses=ArticleOut(many=True))
    def get(self, request: Request, book_id: str) -> Response:
        """List the clauses of a rulebook and how the engine treats them."""
        asked = self.asked(ArticlesAsked)
        book = book_of(book_id)
        about(request, book.id)
        found = selectors.articles(book.id, language(), **asked)
        return self.listed(found, lambda page: ArticleOut(page, many=True).data)


@allow(*READERS)
class ArticleView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=ArticleOut)
    def get(self, request: Request, book_id: str, cite: str) -> Response:
        """Get a clause by its citation: `67 d`."""
        book = book_of(book_id)
        about(request, book.id)
        for article in selectors.articles(book.id, language()):
            if article.row.cite == cite:
                return Response(ArticleOut(article).data)
        raise Http404
