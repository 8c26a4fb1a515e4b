from django.urls import path

from exams.audit import views

urlpatterns = [path("", views.audit, name="audit")]
