"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

import hashlib
from typing import Any

from django.db import migrations

from exams.records.guard import GUARDS
from rules_engine import encode, present_format
from training.guards import lift


def forwards(apps: Any, schema_editor: Any) -> None:
    """An item keeps its document as it was written; its fingerprint is of the facts as they are read now."""
    lift(schema_editor, GUARDS)
    for item in apps.get_model("sittings", "ExamItem").objects.filter(topic__startswith="pb_").iterator():
        item.topic = item.topic.removeprefix("pb_")
        facts = present_format("scenario", item.scenario_document)["situation"]
        item.fingerprint = hashlib.sha256(item.rulebook.encode() + encode(facts)).hexdigest()
        item.corrections = {key.removeprefix("pb_"): found for key, found in item.corrections.items()}
        item.save(update_fields=["topic", "fingerprint", "corrections"])


class Migration(migrations.Migration):
    dependencies = [("sittings", "0001_initial")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
