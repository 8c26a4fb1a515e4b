from django.apps import AppConfig


class CertificatesConfig(AppConfig):
    name = "exams.certificates"
    label = "certificates"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.appeals import hooks as appeal_hooks
        from exams.audit import hooks as audit_hooks
        from exams.certificates import contested, issuance, keys, sealed_reasons
        from exams.certificates.guard import FAR_GUARDS, GUARDS
        from exams.certificates.held import held_rulebooks, holders
        from exams.certificates.selectors import of_sitting
        from exams.exam_sessions import hooks as session_hooks
        from exams.results import hooks as results_hooks
        from training.home import hooks as home_hooks
        from training.operations import hooks as operations_hooks
        from training.platform import hooks as platform_hooks
        from training.platform.guards import protect, protect_far

        appeal_hooks.contestable.subscribe(contested.contestable)
        audit_hooks.sealed_elsewhere.subscribe(sealed_reasons.broken)
        protect(self, GUARDS)
        protect_far(self, FAR_GUARDS)
        session_hooks.holders.subscribe(holders)
        home_hooks.held_rulebooks.subscribe(held_rulebooks)
        operations_hooks.readiness_checks.subscribe(keys.readiness_checks)
        platform_hooks.reseal_secrets.subscribe(keys.reseal)
        results_hooks.certificate_of.subscribe(of_sitting)
        results_hooks.result_decided.subscribe(issuance.wake)
        results_hooks.result_annulled.subscribe(issuance.wake)
