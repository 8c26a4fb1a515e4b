"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

from typing import Any

from django.db import migrations


def forwards(apps: Any, schema_editor: Any) -> None:
    for assignment in apps.get_model("classes", "Assignment").objects.exclude(fresh=[]).iterator():
        fresh = [{**kind, "topic": kind["topic"].removeprefix("pb_")} for kind in assignment.fresh]
        if fresh != assignment.fresh:
            assignment.fresh = fresh
            assignment.save(update_fields=["fresh"])


class Migration(migrations.Migration):
    dependencies = [("classes", "0002_who_did_what")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
