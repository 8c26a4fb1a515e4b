from django.urls import path

from training.lessons import guide_views, law_views, views, welcome

urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("lessons/", views.learn, name="learn"),
    path("welcome/", welcome.welcome, name="welcome"),
    path("placement/", welcome.go_on_with_placement, name="placement"),
    path("first-coup/<str:book_id>/", guide_views.first_coup, name="first_coup"),
    path("changes/<str:old>/<str:new>/", law_views.law_lesson, name="law_lesson"),
    path("reference/<str:book_id>/", views.look_up, name="look_up"),
    path("<uuid:drill_id>/card/", views.rule_card, name="rule_card"),
]
