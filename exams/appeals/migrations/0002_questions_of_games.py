"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

from typing import Any

from django.db import migrations

from exams.appeals.guard import GUARDS
from training.guards import lift


def forwards(apps: Any, schema_editor: Any) -> None:
    lift(schema_editor, GUARDS)
    for appeal in apps.get_model("appeals", "Appeal").objects.exclude(accepted=[]).iterator():
        accepted = [key.removeprefix("pb_") for key in appeal.accepted]
        if accepted != appeal.accepted:
            appeal.accepted = accepted
            appeal.save(update_fields=["accepted"])


class Migration(migrations.Migration):
    dependencies = [("appeals", "0001_initial")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
