from django.urls import path

from exams.house import views

urlpatterns = [
    path("", views.house_settings, name="house_settings"),
    path("logo.png", views.house_logo, name="house_logo"),
]
