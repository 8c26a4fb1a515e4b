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
from training.people.request import language
from training.rulebooks import selectors

READERS = (Role.TRAINEE, Role.INSTRUCTOR)


class TopicOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()


class RulebookOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    game_name = serializers.CharField(help_text="What the game is called, to group by")
    language = serializers.CharField(help_text="What is spoken at its tables")
    currency = serializers.CharField()
    articles = serializers.IntegerField(help_text="How many clauses its checklist has")
    topics = TopicOut(many=True)


class ReadingOut(serializers.Serializer[Any]):
    """How an open question of the text is answered here."""

    question = serializers.CharField()
    reading = serializers.CharField()


class ArticleOut(serializers.Serializer[Any]):
    cite = serializers.CharField(source="row.cite")
    shown = serializers.CharField(help_text="As people write it")
    kind = serializers.CharField(source="row.kind")
    text = serializers.CharField(help_text="What the clause says, in our own words")
    language = serializers.CharField(help_text="Of the text: the reader's, or English where nobody wrote it yet")
    topics = serializers.ListField(child=serializers.CharField())
    reading = ReadingOut(allow_null=True)
    practised = serializers.IntegerField(help_text="Answers given to scenarios that turned on it")
    missed = serializers.IntegerField(help_text="Those of them that were not wholly right")


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
        """Every rulebook that the engine has, game by game."""
        return self.listed(list(RULEBOOKS.values()), lambda page: map(write_rulebook, page))


@allow(*READERS)
class RulebookView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=RulebookOut)
    def get(self, request: Request, book_id: str) -> Response:
        """One rulebook."""
        return Response(write_rulebook(book_of(book_id)))


@allow(*READERS)
class TopicsView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=TopicOut(many=True))
    def get(self, request: Request, book_id: str) -> Response:
        """What can be practised of a rulebook, in teaching order."""
        return self.listed(topics(book_of(book_id).id), partial(write_topics, book_id))


@allow(*READERS)
class ArticlesView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(parameters=[ArticlesAsked], responses=ArticleOut(many=True))
    def get(self, request: Request, book_id: str) -> Response:
        """The clauses of a rulebook with what the engine does with them."""
        asked = self.asked(ArticlesAsked)
        found = selectors.articles(book_of(book_id).id, language(), **asked)
        return self.listed(found, lambda page: ArticleOut(page, many=True).data)


@allow(*READERS)
class ArticleView(ApiView):
    areas = ("practice", "teaching")

    @extend_schema(responses=ArticleOut)
    def get(self, request: Request, book_id: str, cite: str) -> Response:
        """One clause, by its citation: `67 d`."""
        for article in selectors.articles(book_of(book_id).id, language()):
            if article.row.cite == cite:
                return Response(ArticleOut(article).data)
        raise Http404
