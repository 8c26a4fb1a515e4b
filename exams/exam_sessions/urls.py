"""URLs for setting up sessions and their candidates."""

from django.urls import path

from exams.exam_sessions import candidate_views, guarded_request_views, views

urlpatterns = [
    path("", views.sessions, name="sessions"),
    path("new/", views.new_session, name="new_session"),
    path("asked/", guarded_request_views.rulings_asked, name="rulings_asked"),
    path("asked/<int:asked_id>/", guarded_request_views.look_at_asked, name="look_at_asked"),
    path("<uuid:session_id>/", views.session_page, name="session"),
    path("<uuid:session_id>/change/", views.change_session, name="change_session"),
    path("<uuid:session_id>/prepare/", views.prepare_session, name="prepare_session"),
    path("<uuid:session_id>/take-back/", views.take_back_session, name="take_back_session"),
    path("<uuid:session_id>/cancel/", views.cancel_session, name="cancel_session"),
    path("<uuid:session_id>/invigilators/", views.change_invigilators, name="change_invigilators"),
    path("<uuid:session_id>/candidates/", candidate_views.session_candidates, name="session_candidates"),
    path("<uuid:session_id>/candidates/enter/", candidate_views.enter_candidate, name="enter_candidate"),
    path("<uuid:session_id>/candidates/class/", candidate_views.enter_class, name="enter_class"),
    path("<uuid:session_id>/candidates/list/", candidate_views.enter_candidates, name="enter_candidates"),
    path(
        "<uuid:session_id>/candidates/<uuid:candidate_id>/remove/",
        candidate_views.remove_candidate,
        name="remove_candidate",
    ),
    path("<uuid:session_id>/candidates/<uuid:candidate_id>/extra-time/", candidate_views.extra_time, name="extra_time"),
]
