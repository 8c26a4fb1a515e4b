"""Remarks of the engine that the author accepted, kept with the version."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("library", "0005_exam_bank")]

    borne_because = "the column of acts stays as it is: one more word may stand in it"

    operations = [
        migrations.AddField(
            "version",
            "accepted",
            models.JSONField(blank=True, default=list, db_default=models.Value([], models.JSONField())),
        ),
        migrations.AlterField(
            "act",
            "kind",
            models.CharField(
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
                ],
                max_length=16,
            ),
        ),
    ]
