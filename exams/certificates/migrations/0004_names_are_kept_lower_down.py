"""Corrections of names are known to the room of invigilators too: their table stays, its model moves to the records."""

from django.db import migrations


class Migration(migrations.Migration):
    borne_because = "the table stays as it is; only which package describes it changes"
    dependencies = [("certificates", "0003_printed_and_told")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="NameCorrection")]),
    ]
