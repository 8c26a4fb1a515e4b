from django.urls import path

from training.rulebooks import views

urlpatterns = [
    path("", views.rulebooks, name="rulebooks"),
    path("odds/", views.odds_page, name="odds"),
    path("compare/", views.comparison, name="compare_rulebooks"),
    path("<str:book_id>/", views.one_rulebook, name="rulebook"),
    path("<str:book_id>/<path:cite>/", views.article, name="article"),
]
