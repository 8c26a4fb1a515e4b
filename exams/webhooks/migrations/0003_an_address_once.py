"""An address is told once. Of those that two people added at the same moment one stays, the other is stopped."""

from typing import Any

from django.db import migrations, models
from django.db.models import F, Max
from django.utils import timezone


def stop_doubles(apps: Any, schema_editor: Any) -> None:
    """The one that stays is the one whose messages are taken: the other system knows its secret. Else the oldest."""
    hooks = apps.get_model("webhooks", "Hook").objects.filter(stopped_at=None)
    messages = apps.get_model("webhooks", "Message").objects.filter(sent_at=None, failed_at=None)
    told, doubles = set(), []
    by_use = hooks.annotate(taken=Max("messages__sent_at")).order_by(F("taken").desc(nulls_last=True), "added_at")
    for key, address in by_use.values_list("pk", "address"):
        if address in told:
            doubles.append(key)
        told.add(address)
    now = timezone.now()
    messages.filter(hook__in=doubles).update(failed_at=now, held_at=None, problem="stopped")
    hooks.filter(pk__in=doubles).update(stopped_at=now)


class Migration(migrations.Migration):
    borne_because = "who adds an address a second time is refused by the code of before too, but for the same moment"
    dependencies = [("webhooks", "0002_messages_on_which_workers_died")]
    operations = [
        migrations.RunPython(stop_doubles, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="hook",
            constraint=models.UniqueConstraint(
                condition=models.Q(("stopped_at", None)), fields=("address",), name="address_told_by_one_hook"
            ),
        ),
    ]
