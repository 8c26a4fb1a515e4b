"""A candidate keeps the name of the day of entering; those of before get the one they sat under or the account's."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from exams.records.guard import GUARDS
from training.guards import lift

USER = {"on_delete": django.db.models.deletion.PROTECT, "to": settings.AUTH_USER_MODEL}


def forwards(apps: Any, schema_editor: Any) -> None:
    lift(schema_editor, GUARDS)
    candidate, sitting = apps.get_model("sittings", "Candidate"), apps.get_model("sittings", "Sitting")
    sat = sitting.objects.filter(candidate=OuterRef("pk")).values("name")
    account = candidate.objects.filter(pk=OuterRef("pk")).values("person__name")
    candidate.objects.update(name=Coalesce(Subquery(sat[:1]), Subquery(account[:1])))


def backwards(apps: Any, schema_editor: Any) -> None:
    lift(schema_editor, GUARDS)  # they name the columns that go


class Migration(migrations.Migration):
    borne_because = (
        "names are only added; whom the code of before enters meanwhile has none and is called as the account is. "
        "Corrections keep their table, and the code of before has always had a second person decide them"
    )
    dependencies = [
        ("sittings", "0005_why_there_are_no_forms"),
        ("certificates", "0004_names_are_kept_lower_down"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("candidate", "name", models.CharField(max_length=120, default="", db_default="")),
        migrations.RunPython(forwards, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="NameCorrection",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reason", models.TextField()),
                        ("asked_at", models.DateTimeField()),
                        ("decided_at", models.DateTimeField(blank=True, null=True)),
                        ("accepted", models.BooleanField(blank=True, null=True)),
                        ("before", models.JSONField(default=list)),
                        ("name", models.CharField(max_length=120)),
                        ("asked_by", models.ForeignKey(related_name="+", **USER)),
                        ("decided_by", models.ForeignKey(blank=True, null=True, related_name="+", **USER)),
                        ("holder", models.ForeignKey(related_name="name_corrections", **USER)),
                    ],
                    options={
                        "db_table": "certificates_namecorrection",
                        "ordering": ["-asked_at", "-pk"],
                        "abstract": False,
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(decided_at=None),
                                fields=["holder"],
                                name="one_name_correction_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=~models.Q(accepted=True) | ~models.Q(decided_by=models.F("asked_by")),
                                name="name_corrected_by_a_second_person",
                            ),
                        ],
                    },
                )
            ]
        ),
        migrations.AddField("namecorrection", "former", models.CharField(max_length=120, default="", db_default="")),
        migrations.RemoveConstraint("namecorrection", "name_corrected_by_a_second_person"),
        migrations.AddConstraint(
            "namecorrection",
            models.CheckConstraint(
                condition=~models.Q(accepted=True)
                | (models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))),
                name="name_corrected_by_a_second_person",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, backwards),
    ]
