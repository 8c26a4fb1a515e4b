"""URLs of exams and certificates."""

from django.urls import include, path

from exams.results.own_views import own_exams

urlpatterns = [
    path("programmes/", include("exams.programmes.urls")),
    path("exams/", own_exams, name="own_exams"),
    path("exams/mock/", include("exams.mock.urls")),
    path("exams/", include("exams.sittings.urls")),
    path("exams/practical/", include("exams.practical.urls")),
    path("exams/sessions/", include("exams.exam_sessions.urls")),
    path("exams/sessions/<uuid:session_id>/live/", include("exams.invigilation.urls")),
    path("results/", include("exams.results.urls")),
    path("exam-figures/", include("exams.statistics.urls")),
    path("regrades/", include("exams.regrading.urls")),
    path("appeals/", include("exams.appeals.urls")),
    path("certificates/", include("exams.certificates.urls")),
    path("", include("exams.certificates.check_urls")),
    path("people/", include("exams.accounts.urls")),
    path("", include("exams.hr.privacy_urls")),
    path("", include("exams.sign_on.office_urls")),
    path("house/", include("exams.house_office.urls")),
    path("systems/", include("exams.webhooks.urls")),
    path("hr/", include("exams.hr.urls")),
    path("audit/", include("exams.audit.urls")),
]
