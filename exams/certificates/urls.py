from django.urls import path

from exams.certificates import views

urlpatterns = [
    path("", views.own_certificates, name="own_certificates"),
    path("<uuid:certificate_id>/document.pdf", views.certificate_document, name="certificate_document"),
    path("<uuid:certificate_id>/credential.jwt", views.certificate_credential, name="certificate_credential"),
    path("status/<slug:list_name>/<int:list_no>", views.status_list, name="status_list"),
]
