"""Mounted by django-allauth under “account/”, because the provider is in this package."""

from django.urls import path

from exams.sign_on import views

urlpatterns = [
    path("directory/", views.begin, name="sign_on"),
    path("directory/callback/", views.callback, name="sign_on_callback"),
    path("directory/again/", views.again, name="sign_on_again"),
    path("directory/own/", views.own, name="own_sign_on"),
]
