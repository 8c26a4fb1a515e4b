"""Every address of exams and certificates."""

from django.urls import include, path

urlpatterns = [
    path("programmes/", include("exams.programmes.urls")),
    path("exams/", include("exams.sittings.urls")),
    path("results/", include("exams.results.urls")),
    path("exam-figures/", include("exams.statistics.urls")),
    path("regrades/", include("exams.regrading.urls")),
    path("appeals/", include("exams.appeals.urls")),
    path("certificates/", include("exams.certificates.urls")),
    path("", include("exams.certificates.check_urls")),
    path("hr/", include("exams.hr.urls")),
    path("audit/", include("exams.audit.urls")),
]
