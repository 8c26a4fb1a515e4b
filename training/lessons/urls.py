from django.urls import path

from training.lessons import guide_views, views

urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("lessons/", views.learn, name="learn"),
    path("first-coup/<str:book_id>/", guide_views.first_coup, name="first_coup"),
    path("reference/<str:book_id>/", views.look_up, name="look_up"),
    path("<uuid:drill_id>/card/", views.rule_card, name="rule_card"),
]
