"""Who entered each account and what was done to it since, as far as roles and the log tell."""

from typing import Any

from django.db import migrations

FROM_LOG = {"person.entered": "entered", "second_factor.removed": "second_factor"}


def fill(apps: Any, _schema_editor: Any) -> None:
    act, user = apps.get_model("training", "AccountAct"), apps.get_model("training", "User")
    joined = dict(user.objects.values_list("pk", "joined_at"))
    first: dict[int, Any] = {}
    found = []
    for grant in apps.get_model("training", "RoleGrant").objects.order_by("granted_at", "pk"):
        first.setdefault(grant.user_id, grant.granted_by_id)
        if grant.role != "trainee":
            found.append((grant.granted_at, 1, grant.user_id, grant.granted_by_id, "role"))
    entries = apps.get_model("audit", "Entry").objects.filter(act__in=[*FROM_LOG, "person.corrected"])
    for entry in entries.order_by("number"):
        person = int(entry.subject.partition(":")[2])
        kind = FROM_LOG.get(entry.act) or ("address" if "email" in entry.details.get("changes", {}) else "")
        if kind == "entered":
            first[person] = entry.actor_id
        elif kind and person in joined:
            found.append((entry.at, 2, person, entry.actor_id, kind))
    found += [(at, 0, person, first.get(person), "entered") for person, at in joined.items()]
    act.objects.bulk_create(
        act(account_id=person, by_id=by, kind=kind, at=at)
        for at, _order, person, by, kind in sorted(found, key=lambda row: row[:3])
        if by != person
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_why_closed"), ("training", "0017_acts_on_accounts"), ("audit", "0001_initial")]
    borne_because = "it only writes into a table that the code of before does not know"
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
