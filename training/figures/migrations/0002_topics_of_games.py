"""Topics and questions of ponto e banca lose the prefix that told them from those of other games."""

from typing import Any

from django.db import migrations
from django.db.models import Value
from django.db.models.functions import Replace, Substr


def forwards(apps: Any, schema_editor: Any) -> None:
    topics = apps.get_model("figures", "TopicTally").objects.filter(topic__startswith="pb_")
    topics.update(topic=Substr("topic", 4))
    for model in ("ItemTally", "WrongAnswer"):
        items = apps.get_model("figures", model).objects.filter(item__contains="/pb_")
        items.update(item=Replace("item", Value("/pb_"), Value("/")))
    questions = apps.get_model("figures", "WrongAnswer").objects.filter(question__startswith="pb_")
    questions.update(question=Substr("question", 4))


class Migration(migrations.Migration):
    dependencies = [("figures", "0001_initial")]
    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
