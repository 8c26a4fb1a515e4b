"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

from typing import Any

from django.db import migrations
from django.db.models.functions import Substr

from training.guards import lift
from training.library.guard import GUARDS


def forwards(apps: Any, schema_editor: Any) -> None:
    lift(schema_editor, GUARDS)
    versions = apps.get_model("library", "Version").objects.filter(topic__startswith="pb_")
    versions.update(topic=Substr("topic", 4))


class Migration(migrations.Migration):
    dependencies = [("library", "0003_import_and_search")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
