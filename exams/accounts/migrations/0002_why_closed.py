"""Accounts that were closed before reasons were kept: who had left, had left; of the rest nobody's record opens them."""

from typing import Any

from django.db import migrations
from django.utils import timezone


def give_reasons(apps: Any, _schema_editor: Any) -> None:
    user, closure = apps.get_model("training", "User"), apps.get_model("accounts", "Closure")
    now = timezone.now()
    closed = user.objects.filter(is_active=False, is_demo=False)
    left = set(closed.filter(staff_record__left_on__lt=timezone.localdate(now)).values_list("pk", flat=True))
    closure.objects.bulk_create(
        closure(person_id=pk, why="left" if pk in left else "administrator", closed_at=now)
        for pk in closed.values_list("pk", flat=True)
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("hr", "0001_initial")]
    borne_because = "it only writes into a table that the code of before does not know"
    operations = [migrations.RunPython(give_reasons, migrations.RunPython.noop)]
