"""Queries for webhooks and their messages."""

from datetime import timedelta

from django.db.models import Count, Max, Q, QuerySet

from exams.webhooks.models import Hook, Message
from training.platform.pending import Owed


def waiting() -> QuerySet[Message]:
    return Message.objects.filter(sent_at=None, failed_at=None)


def given_up() -> int:
    return Message.objects.exclude(failed_at=None).filter(hook__stopped_at=None).count()


def owed_work() -> list[Owed]:
    # A system that is away is tried again later and does not make the platform unready.
    patience = timedelta(minutes=30)
    return [
        Owed("messages to other systems", "background", waiting(), since="due_at", given_up=given_up, patience=patience)
    ]


def hooks() -> QuerySet[Hook]:
    """Active ones first, with how many messages wait or failed and when the last was accepted."""
    return Hook.objects.annotate(
        waiting=Count("messages", filter=Q(messages__sent_at=None, messages__failed_at=None)),
        failed=Count("messages", filter=Q(messages__failed_at__isnull=False)),
        last=Max("messages__sent_at"),
    ).order_by("-stopped_at", "address")


def messages(hook: Hook) -> QuerySet[Message]:
    return hook.messages.select_related("act__certificate").order_by("-written_at", "-pk")
