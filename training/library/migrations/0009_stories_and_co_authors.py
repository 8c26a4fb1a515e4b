"""Stories of several moments, and co-authors."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("library", "0008_remarks_in_the_margin"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    borne_because = "the column of acts stays as it is: more words may stand in it"

    operations = [
        migrations.AddField(
            model_name="act",
            name="moment",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="act",
            name="person",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="version",
            name="moments",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
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
                    ("author_added", "co-author added"),
                    ("author_removed", "co-author taken away"),
                ],
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="CoAuthor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="co_authorships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="co_authorships", to="library.version"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="coauthor",
            constraint=models.UniqueConstraint(fields=("version", "person"), name="co_author_once"),
        ),
    ]
