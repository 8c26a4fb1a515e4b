from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

AREAS = ("practice", "teaching")


def keep_what_tokens_could(apps: Any, _editor: Any) -> None:
    for token in apps.get_model("api", "ApiToken").objects.all():
        kinds = ("read",) if token.scope == "read" else ("read", "write")
        token.scopes = sorted(f"{area}:{kind}" for area in AREAS for kind in kinds)
        token.save(update_fields=["scopes"])


class Migration(migrations.Migration):
    dependencies = [
        ("api", "0001_tokens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(model_name="apitoken", name="scopes", field=models.JSONField(default=list)),
        migrations.RunPython(keep_what_tokens_could, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="apitoken", name="api_token_scope_is_known"),
        migrations.RemoveField(model_name="apitoken", name="scope"),
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=255)),
                ("request_digest", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("body", models.BinaryField(default=bytes)),
                ("began_at", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["began_at"], name="kept_answer_by_age")],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "key"), name="idempotency_key_once_for_a_person")
                ],
            },
        ),
    ]
