from django.urls import path

from exams.certificates import instrument_views, views

urlpatterns = [
    path("instruments/", instrument_views.legal_instruments, name="legal_instruments"),
    path("", views.own_certificates, name="own_certificates"),
    path("<uuid:certificate_id>/document.pdf", views.certificate_document, name="certificate_document"),
    path("<uuid:certificate_id>/credential.jwt", views.certificate_credential, name="certificate_credential"),
    path("<uuid:certificate_id>/badge.png", views.certificate_badge, {"kind": "png"}, name="certificate_badge_png"),
    path("<uuid:certificate_id>/badge.svg", views.certificate_badge, {"kind": "svg"}, name="certificate_badge_svg"),
    path("<uuid:certificate_id>/share/", views.share_certificate, name="share_certificate"),
    path("register/", views.change_registration, name="change_registration"),
    path("achievements/<uuid:programme_id>/<number:version_number>.png", views.badge_image, name="badge_image"),
    path("status/<slug:list_name>/<number:list_no>", views.status_list, name="status_list"),
]
