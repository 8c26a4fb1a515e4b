from django.urls import path

from exams.sign_on import views

urlpatterns = [
    path("", views.begin, name="sign_on"),
    path("callback/", views.callback, name="sign_on_callback"),
    path("again/", views.again, name="sign_on_again"),
    path("own/", views.own, name="own_sign_on"),
]
