"""Remarks in the margin of a version, and the acts that they leave."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("library", "0007_tags"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    borne_because = "the column of acts stays as it is: more words may stand in it"

    operations = [
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
                choices=[
                    ("created", "created"),
                    ("edited", "edited"),
                    ("submitted", "sent to review"),
                    ("returned", "sent back"),
                    ("withdrawn", "taken back by its author"),
                    ("published", "published"),
                    ("released", "given to practice"),
                    ("retired", "retired"),
                    ("suspended", "taken out of use"),
                    ("remarked", "remarked in the margin"),
                    ("answered", "remark answered"),
                    ("settled", "remark settled"),
                ],
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "part",
                    models.CharField(
                        choices=[("facts", "the facts"), ("words", "the words"), ("ruling", "the ruling")],
                        max_length=16,
                    ),
                ),
                ("text", models.TextField()),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "about",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="library.remark",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="remarks", to="library.version"
                    ),
                ),
            ],
            options={
                "ordering": ["at", "pk"],
            },
        ),
    ]
