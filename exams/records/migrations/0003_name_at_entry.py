"""A sitting keeps the name that it was begun under; those of before get the one of the record."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from exams.records.guard import GUARDS
from training.guards import lift

EVENTS = [
    ("started", "began"),
    ("identity", "identity checked"),
    ("resumed", "went on after a break"),
    ("device", "went on in another browser"),
    ("blurred", "left the page"),
    ("focused", "came back to the page"),
    ("offline", "connection lost"),
    ("online", "connection back"),
    ("time_added", "time was added"),
    ("note", "note of the invigilator"),
    ("late", "a change came after the end"),
    ("closed", "closed"),
]


def forwards(apps: Any, schema_editor: Any) -> None:
    lift(schema_editor, GUARDS)
    sitting = apps.get_model("sittings", "Sitting")
    names = sitting.objects.filter(pk=OuterRef("pk")).values("candidate__person__name")
    sitting.objects.update(name=Subquery(names[:1]))


class Migration(migrations.Migration):
    dependencies = [("sittings", "0002_topics_of_games")]
    operations = [
        migrations.AddField("sitting", "name", models.CharField(default="", max_length=120), preserve_default=False),
        migrations.AlterField("event", "kind", models.CharField(choices=EVENTS, max_length=16)),
        migrations.RunPython(forwards, migrations.RunPython.noop),
    ]
