from django.urls import path

from training.rulebooks import change_views, views

urlpatterns = [
    path("", views.rulebooks, name="rulebooks"),
    path("odds/", views.odds_page, name="odds"),
    path("compare/", views.comparison, name="compare_rulebooks"),
    path("compare/<str:one>/<str:other>/<str:kind>/", views.compared_case, name="compared_case"),
    path("changes/<str:old>/<str:new>/", change_views.law_changes_page, name="law_changes"),
    path("changes/<str:old>/<str:new>/<path:article>/", change_views.change_played, name="change_played"),
    path("<str:book_id>/", views.one_rulebook, name="rulebook"),
    path("<str:book_id>/article/<path:number>/", views.whole_article, name="whole_article"),
    path("<str:book_id>/<path:cite>/", views.article, name="article"),
]
