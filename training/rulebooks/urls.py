from django.urls import path

from training.rulebooks import views

urlpatterns = [
    path("", views.rulebooks, name="rulebooks"),
    path("odds/", views.odds_page, name="odds"),
    path("compare/", views.comparison, name="compare_rulebooks"),
    path("compare/<str:one>/<str:other>/<str:kind>/", views.compared_case, name="compared_case"),
    path("<str:book_id>/", views.one_rulebook, name="rulebook"),
    path("<str:book_id>/article/<path:number>/", views.whole_article, name="whole_article"),
    path("<str:book_id>/<path:cite>/", views.article, name="article"),
]
