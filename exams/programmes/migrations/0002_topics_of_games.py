"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

from typing import Any

from django.db import migrations

from exams.programmes.guard import GUARDS
from training.guards import lift


def forwards(apps: Any, schema_editor: Any) -> None:
    lift(schema_editor, GUARDS)
    for version in apps.get_model("programmes", "ProgrammeVersion").objects.iterator():
        before = version.rules_document
        sections = [{**section, "lines": list(map(_plain, section["lines"]))} for section in before["sections"]]
        if sections != before["sections"]:
            version.rules_document = {**before, "sections": sections}
            version.save(update_fields=["rules_document"])


def _plain(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, "topic": line["topic"].removeprefix("pb_")}


class Migration(migrations.Migration):
    dependencies = [("programmes", "0001_initial")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
