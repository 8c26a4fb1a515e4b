from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "exams.webhooks"
    label = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.certificates import hooks as certificates_hooks
        from exams.webhooks import selectors, services
        from training.platform import hooks as platform_hooks

        certificates_hooks.certificate_changed.subscribe(services.write)
        platform_hooks.owed_work.subscribe(selectors.owed_work)
        platform_hooks.reseal_secrets.subscribe(services.reseal)
