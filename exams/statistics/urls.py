from django.urls import path

from exams.statistics import views

urlpatterns = [
    path("", views.statistics, name="exam_statistics"),
    path("sessions/<uuid:session_id>/", views.session_statistics, name="session_statistics"),
    path("programmes/<uuid:programme_id>/", views.programme_statistics, name="programme_statistics"),
]
