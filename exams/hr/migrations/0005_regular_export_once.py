"""The same regular export is set up once; code of before fails to set it up a second time, which harms nobody."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("hr", "0004_drop_doubles")]
    operations = [
        migrations.AddConstraint(
            model_name="schedule",
            constraint=models.UniqueConstraint(
                fields=("owner", "what", "format", "filters", "every"), name="regular_export_once_for_its_owner"
            ),
        )
    ]
