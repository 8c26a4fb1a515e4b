from django.urls import path

from training.practice import drill_views, views

urlpatterns = [
    path("", views.practice, name="practice"),
    path("start/", views.start, name="start_drill"),
    path("day/", views.day_page, name="day"),
    path("history/", views.history, name="history"),
    path("study/", views.study, name="study"),
    path("study/tables/", views.choose_tables, name="choose_tables"),
    path("reminder/", views.set_reminder, name="set_reminder"),
    path("reminder/stop/<str:token>/", views.stop_reminders, name="stop_reminders"),
    path("<uuid:drill_id>/", drill_views.drill, name="drill"),
    path("<uuid:drill_id>/again/", drill_views.again, name="try_again"),
    path("<uuid:drill_id>/solution/", drill_views.solution, name="show_solution"),
    path("<uuid:drill_id>/next/", drill_views.go_on, name="go_on"),
    path("<uuid:drill_id>/note/", drill_views.note, name="note_drill"),
    path("<uuid:drill_id>/flag/", drill_views.flag, name="flag_drill"),
]
