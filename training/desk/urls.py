from django.urls import path

from training.desk import trial_views, views

urlpatterns = [
    path("", views.items, name="item_figures"),
    path("trial/<number:version_id>/", trial_views.trial, name="trial"),
    path("flags/", views.flags, name="flags"),
    path("flags/<number:flag_id>/", views.flag, name="flag"),
]
