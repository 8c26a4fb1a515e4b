from django.urls import path

from training.live_table import debrief_views, views

urlpatterns = [
    path("", views.live_tables, name="live_tables"),
    path("start/", views.start, name="start_live_table"),
    path("of/<int:trainee_id>/", debrief_views.of_trainee, name="trainee_live_tables"),
    path("<uuid:live_id>/", views.live_table, name="live_table"),
    path("<uuid:live_id>/act/", views.act, name="live_act"),
    path("<uuid:live_id>/leave/", views.leave, name="leave_live_table"),
    path("<uuid:live_id>/debrief/", debrief_views.debrief, name="live_debrief"),
    path("<uuid:live_id>/debrief/<int:act_number>/", debrief_views.moment, name="live_moment"),
    path("<uuid:live_id>/practise/", debrief_views.practise, name="practise_missed"),
]
