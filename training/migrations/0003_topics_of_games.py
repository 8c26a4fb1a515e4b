"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

from typing import Any

from django.db import migrations
from django.db.models.functions import Substr


def forwards(apps: Any, schema_editor: Any) -> None:
    drills = apps.get_model("training", "Drill").objects.filter(topic__startswith="pb_")
    drills.update(topic=Substr("topic", 4))


class Migration(migrations.Migration):
    dependencies = [("training", "0002_practice")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
