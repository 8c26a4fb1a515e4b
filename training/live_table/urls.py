from django.urls import path

from training.live_table import debrief_views, views

urlpatterns = [
    path("", views.live_tables, name="live_tables"),
    path("start/", views.start, name="start_live_table"),
    path("of/<int:trainee_id>/", debrief_views.of_trainee, name="trainee_live_tables"),
    path("<uuid:session_id>/", views.live_table, name="live_table"),
    path("<uuid:session_id>/act/", views.act, name="live_act"),
    path("<uuid:session_id>/leave/", views.leave, name="leave_live_table"),
    path("<uuid:session_id>/debrief/", debrief_views.debrief, name="live_debrief"),
    path("<uuid:session_id>/debrief/<int:number>/", debrief_views.moment, name="live_moment"),
    path("<uuid:session_id>/practise/", debrief_views.practise, name="practise_missed"),
]
