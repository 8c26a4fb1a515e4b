"""Who entered an account, who took control of it and who vouched for it."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("training", "0016_moments_of_a_story"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("entered", "entered the account"),
                            ("role", "gave a staff role"),
                            ("address", "changed the e-mail address"),
                            ("second_factor", "removed the two-step verification"),
                            ("confirmed", "confirmed the account"),
                        ],
                        max_length=16,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="acts_on_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["entered", "role", "address", "second_factor", "confirmed"])),
                        name="account_act_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("account")), _negated=True), name="account_act_by_another"
                    ),
                ],
            },
        ),
    ]
