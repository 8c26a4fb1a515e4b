from django.urls import path

from exams.programmes import draft_views, duty_views, refresher_views, standard_views, views

urlpatterns = [
    path("", views.programmes, name="programmes"),
    path("new/", draft_views.new_programme, name="new_programme"),
    path("duties/", duty_views.duties_page, name="duties"),
    path("refresher/<str:book_id>/", refresher_views.refresher_page, name="refresher"),
    path("<uuid:programme_id>/", views.programme, name="programme"),
    path("<uuid:programme_id>/versions/<number:version_number>/", views.version, name="programme_version"),
    path(
        "<uuid:programme_id>/versions/<number:version_number>/standard/", standard_views.standard_page, name="standard"
    ),
    path("<uuid:programme_id>/versions/<number:version_number>/ideas/", views.wrong_ideas, name="programme_ideas"),
    path("<uuid:programme_id>/compare/", views.compare, name="compare_programme"),
    path("<uuid:programme_id>/draft/", draft_views.draft, name="programme_draft"),
    path("<uuid:programme_id>/draft/new/", views.new_version, name="new_programme_version"),
    path("<uuid:programme_id>/draft/discard/", views.discard, name="discard_programme_draft"),
    path("<uuid:programme_id>/draft/publish/", views.publish, name="publish_programme"),
    path("<uuid:programme_id>/examiners/", views.examiners, name="examiners"),
]
