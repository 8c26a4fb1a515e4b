from django.urls import path

from training.mail import demo, views

urlpatterns = [
    path("", views.mail, name="mail"),
    path("demo/", demo.demo_mail, name="demo_mail"),
    path("again/", views.try_all_again, name="try_all_mail_again"),
    path("<uuid:mail_id>/again/", views.try_again, name="try_mail_again"),
]
