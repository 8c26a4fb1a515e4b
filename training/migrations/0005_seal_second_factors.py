"""Seal the secrets of the second factor that earlier releases stored as they are."""

from typing import Any

from django.db import migrations

from training.people.second_factor import SEALED, change_each, seal, unseal


def seal_all(apps: Any, _schema_editor: Any) -> None:
    rows = apps.get_model("mfa", "Authenticator").objects
    change_each(rows, lambda stored: stored if stored.startswith(SEALED) else seal(stored))


def unseal_all(apps: Any, _schema_editor: Any) -> None:
    change_each(apps.get_model("mfa", "Authenticator").objects, unseal)


class Migration(migrations.Migration):
    dependencies = [
        ("training", "0004_wrong_tries"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]
    # A process of before refuses the code until it is replaced, minutes later; a new one takes it. Nothing is lost.
    borne_because = "a second factor typed at a process of before is refused, and taken at the next try by a new one"
    operations = [migrations.RunPython(seal_all, unseal_all)]
