from django.urls import path

from training.practice import drill_views, views

urlpatterns = [
    path("", views.practice, name="practice"),
    path("start/", views.start, name="start_drill"),
    path("rules/", views.rules, name="rules"),
    path("history/", views.history, name="history"),
    path("study/", views.study, name="study"),
    path("<uuid:drill_id>/", drill_views.drill, name="drill"),
    path("<uuid:drill_id>/flag/", drill_views.flag, name="flag_drill"),
]
