from django.urls import path

from training.home import views

urlpatterns = [
    path("", views.home, name="home"),
    path("practice/", views.practice, name="practice"),
    path("practice/start/", views.start, name="start_drill"),
    path("practice/rules/", views.rules, name="rules"),
    path("practice/history/", views.history, name="history"),
    path("practice/study/", views.study, name="study"),
]
