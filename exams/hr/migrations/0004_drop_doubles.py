"""Of regular exports that were set up twice one stays. The database keeps others out from the next migration on, since
PostgreSQL does not change a table in the transaction that takes rows from it which others point to."""

from typing import Any

from django.db import migrations


def drop_doubles(apps: Any, schema_editor: Any) -> None:
    """The first stays, and the files of the others count as its own."""
    schedules, exports = apps.get_model("hr", "Schedule").objects, apps.get_model("hr", "Export").objects
    first = list[Any]()
    for one in schedules.order_by("begun_on", "due_at", "pk"):
        same = [kept for kept in first if _is_same(kept, one)]
        if same:
            exports.filter(schedule=one).update(schedule=same[0])
            one.delete()
        else:
            first.append(one)


def _is_same(one: Any, other: Any) -> bool:
    return all(
        getattr(one, name) == getattr(other, name) for name in ("owner_id", "what", "format", "filters", "every")
    )


class Migration(migrations.Migration):
    borne_because = "fewer rows of a kind that the code of before takes away by itself when their owner stops them"
    dependencies = [("hr", "0003_regular_exports")]
    operations = [migrations.RunPython(drop_doubles, migrations.RunPython.noop)]
