from django.urls import path

from training.desk import case_context_views, trial_views, views

urlpatterns = [
    path("", views.items, name="item_figures"),
    path("trial/<number:version_id>/", trial_views.trial, name="trial"),
    path("try/", trial_views.try_facts, name="try_facts"),
    path("around/", case_context_views.around_facts, name="around_facts"),
    path("around/<number:version_id>/", case_context_views.around_version, name="around_version"),
    path("flags/", views.flags, name="flags"),
    path("flags/<number:flag_id>/", views.flag, name="flag"),
]
