from django.urls import path

from training.home import views

urlpatterns = [path("", views.home, name="home")]
