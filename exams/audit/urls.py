from django.urls import path

from exams.audit import views

urlpatterns = [
    path("", views.audit, name="audit"),
    path("check/", views.check, name="audit_check"),
    path("log.csv", views.audit_csv, name="audit_csv"),
    path("log.xlsx", views.audit_xlsx, name="audit_xlsx"),
]
