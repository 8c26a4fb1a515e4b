from django.urls import path

from training.practice import answering

urlpatterns = [
    path("<uuid:drill_id>/", answering.drill, name="drill"),
    path("<uuid:drill_id>/flag/", answering.flag, name="flag_drill"),
]
