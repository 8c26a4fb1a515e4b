from django.urls import path

from exams.audit import views

urlpatterns = [
    path("", views.audit, name="audit"),
    path("log.csv", views.audit_csv, name="audit_csv"),
    path("log.xlsx", views.audit_xlsx, name="audit_xlsx"),
]
