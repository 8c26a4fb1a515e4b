from django.apps import AppConfig


class ClassesConfig(AppConfig):
    name = "training.classes"
    label = "classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.classes.guard import GUARDS
        from training.classes.selectors import study_in_classes, tables_of_classes
        from training.house import hooks as house_hooks
        from training.platform.guards import protect
        from training.practice import hooks

        protect(self, GUARDS)
        hooks.study_advice.subscribe(study_in_classes)
        house_hooks.named_tables.subscribe(tables_of_classes)
