"""Why the forms of a session could not be made is kept as what happened, to be told in every reader's language."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sittings", "0004_annulled")]
    operations = [migrations.AddField("session", "obstacle", models.JSONField(blank=True, null=True))]
