from django.urls import path

from training.sprint import views

urlpatterns = [
    path("", views.sprints, name="sprints"),
    path("start/", views.start_sprint, name="start_sprint"),
    path("board/", views.change_board, name="change_board"),
    path("<uuid:sprint_id>/", views.sprint, name="sprint"),
]
