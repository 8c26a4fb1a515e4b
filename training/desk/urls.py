from django.urls import path

from training.desk import views

urlpatterns = [
    path("", views.items, name="item_figures"),
    path("flags/", views.flags, name="flags"),
    path("flags/<number:flag_id>/", views.flag, name="flag"),
]
