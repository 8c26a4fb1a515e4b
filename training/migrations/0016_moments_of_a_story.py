"""Which moment of a story a drill is, and the one before it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("training", "0015_remarks"),
    ]

    operations = [
        migrations.AddField(
            model_name="drill",
            name="before",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="after",
                to="training.drill",
            ),
        ),
        migrations.AddField(
            model_name="drill",
            name="moment",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="drill",
            name="moments",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
    ]
