from django.apps import AppConfig


class CertificatesConfig(AppConfig):
    name = "exams.certificates"
    label = "certificates"
    default_auto_field = "django.db.models.BigAutoField"
