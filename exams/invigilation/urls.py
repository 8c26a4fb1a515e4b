"""URLs of the invigilator's pages."""

from django.urls import path

from exams.invigilation import views

urlpatterns = [
    path("", views.live_session, name="live_session"),
    path("time/", views.add_time, name="add_time"),
    path("door/", views.mind_the_door, name="mind_the_door"),
    path("codes/<uuid:candidate_id>/", views.let_try_again, name="let_try_again"),
    path("<uuid:sitting_id>/", views.live_sitting, name="live_sitting"),
    path("<uuid:sitting_id>/act/", views.act_on_sitting, name="act_on_sitting"),
]
