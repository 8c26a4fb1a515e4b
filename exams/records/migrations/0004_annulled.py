"""A sitting may be annulled or its try given back; another browser asks before it goes on."""

from django.db import migrations, models

EVENTS = [
    ("started", "began"),
    ("identity", "identity checked"),
    ("resumed", "went on after a break"),
    ("asked", "another browser asked to go on"),
    ("released", "released for another browser"),
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


class Migration(migrations.Migration):
    dependencies = [("sittings", "0003_name_at_entry")]
    borne_because = "the column of events stays as it is: two more words may stand in it, and are shown as they are"
    operations = [
        migrations.AddField("sitting", "annulled_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("sitting", "try_back", models.BooleanField(db_default=False, default=False)),
        migrations.AddConstraint(
            "sitting",
            models.CheckConstraint(
                condition=models.Q(annulled_at=None) | models.Q(closed_at__isnull=False),
                name="sitting_annulled_once_closed",
            ),
        ),
        migrations.AlterField("event", "kind", models.CharField(choices=EVENTS, max_length=16)),
    ]
