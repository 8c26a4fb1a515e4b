"""Annulments: asked for by one person, decided by a second where the programme says so."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("results", "0001_initial"),
        ("sittings", "0004_annulled"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Annulment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "remedy",
                    models.CharField(
                        choices=[
                            ("annulled", "The sitting is annulled and the try given back"),
                            ("counted", "The sitting is annulled and still counts as a try"),
                            ("try_back", "The result stands and the try is given back"),
                        ],
                        max_length=16,
                    ),
                ),
                ("reason", models.TextField(max_length=2000)),
                ("by_two", models.BooleanField()),
                ("asked_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("accepted", models.BooleanField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="annulments", to="sittings.sitting"
                    ),
                ),
            ],
            options={
                "ordering": ["-asked_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("decided_at", None)),
                        fields=("sitting",),
                        name="one_annulment_asked_for_at_a_time",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("accepted", True)), fields=("sitting",), name="sitting_annulled_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("accepted", True), _negated=True),
                            ("by_two", False),
                            models.Q(("decided_by", models.F("asked_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="annulled_by_a_second_person",
                    ),
                ],
            },
        ),
    ]
