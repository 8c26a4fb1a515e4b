from django.urls import path

from training.live_table import debrief_views, teaching_views, views

urlpatterns = [
    path("", views.live_tables, name="live_tables"),
    path("start/", views.start, name="start_live_table"),
    path("of/<int:trainee_id>/", debrief_views.of_trainee, name="trainee_live_tables"),
    path("classes/<uuid:class_id>/", teaching_views.class_live_tables, name="class_live_tables"),
    path("classes/<uuid:class_id>/set/", teaching_views.set_live_table, name="set_live_table"),
    path(
        "classes/<uuid:class_id>/withdraw/<uuid:table_work_id>/",
        teaching_views.withdraw_live_table,
        name="withdraw_live_table",
    ),
    path("set/<uuid:table_work_id>/start/", teaching_views.start_set_table, name="start_set_table"),
    path("<uuid:live_id>/watch/", teaching_views.watch, name="watch_live_table"),
    path("<uuid:live_id>/inject/", teaching_views.inject, name="inject_fault"),
    path("<uuid:live_id>/", views.live_table, name="live_table"),
    path("<uuid:live_id>/act/", views.act, name="live_act"),
    path("<uuid:live_id>/leave/", views.leave, name="leave_live_table"),
    path("<uuid:live_id>/debrief/", debrief_views.debrief, name="live_debrief"),
    path("<uuid:live_id>/debrief/<int:act_number>/", debrief_views.moment, name="live_moment"),
    path("<uuid:live_id>/practise/", debrief_views.practise, name="practise_missed"),
]
