"""Who has taught whom, kept apart from the classes; filled with what these still tell."""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def fill(apps: Any, _schema_editor: Any) -> None:
    enrolment, taught = apps.get_model("classes", "Enrolment"), apps.get_model("classes", "Taught")
    room = "training_class"
    teachers = (f"{room}__made_by_id", f"{room}__instructors__id", f"{room}__assignments__set_by_id")
    pairs = {
        (trainee, teacher)
        for trainee, *found in enrolment.objects.values_list("trainee_id", *teachers)
        for teacher in found
        if teacher not in (None, trainee)
    }
    taught.objects.bulk_create(taught(trainee_id=trainee, teacher_id=teacher) for trainee, teacher in sorted(pairs))


class Migration(migrations.Migration):
    dependencies = [
        ("classes", "0004_some_and_longer"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    borne_because = "it only writes into a table that the code of before does not know"
    operations = [
        migrations.CreateModel(
            name="Taught",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "teacher",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "trainee",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("trainee", "teacher"), name="taught_once")],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
