from django.urls import path

from exams.api import certificates, results, roster

urlpatterns = [
    path("certificates/", certificates.CertificatesView.as_view(), name="api_certificates"),
    path("certificates/<uuid:certificate_id>/", certificates.CertificateView.as_view(), name="api_certificate"),
    path(
        "certificates/<uuid:certificate_id>/acts/",
        certificates.CertificateActsView.as_view(),
        name="api_certificate_acts",
    ),
    path("roster/", roster.RosterView.as_view(), name="api_roster"),
    path("results/", results.ResultsView.as_view(), name="api_results"),
]
