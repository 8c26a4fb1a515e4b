"""Exams: the candidate's own, the sitting, the invigilator's view, and sessions being set up."""

from django.urls import path

from exams.sittings import candidate_views, live_views, session_views, sitting_views

urlpatterns = [
    path("", sitting_views.own_exams, name="own_exams"),
    path("enter/<uuid:candidate_id>/", sitting_views.enter_exam, name="enter_exam"),
    path("sittings/<uuid:sitting_id>/", sitting_views.open_sitting, name="sitting"),
    path("sittings/<uuid:sitting_id>/hand-in/", sitting_views.hand_in, name="hand_in"),
    path("sittings/<uuid:sitting_id>/pulse/", sitting_views.pulse, name="pulse_sitting"),
    path("sittings/<uuid:sitting_id>/<int:position>/", sitting_views.item, name="sitting_item"),
    path("sittings/<uuid:sitting_id>/<int:position>/save/", sitting_views.save, name="save_response"),
    path("sessions/", session_views.sessions, name="sessions"),
    path("sessions/new/", session_views.new_session, name="new_session"),
    path("sessions/<uuid:session_id>/", session_views.session_page, name="session"),
    path("sessions/<uuid:session_id>/change/", session_views.change_session, name="change_session"),
    path("sessions/<uuid:session_id>/prepare/", session_views.prepare_session, name="prepare_session"),
    path("sessions/<uuid:session_id>/take-back/", session_views.take_back_session, name="take_back_session"),
    path("sessions/<uuid:session_id>/cancel/", session_views.cancel_session, name="cancel_session"),
    path("sessions/<uuid:session_id>/invigilators/", session_views.change_invigilators, name="change_invigilators"),
    path("sessions/<uuid:session_id>/candidates/", candidate_views.session_candidates, name="session_candidates"),
    path("sessions/<uuid:session_id>/candidates/enter/", candidate_views.enter_candidate, name="enter_candidate"),
    path("sessions/<uuid:session_id>/candidates/list/", candidate_views.enter_candidates, name="enter_candidates"),
    path(
        "sessions/<uuid:session_id>/candidates/<uuid:candidate_id>/remove/",
        candidate_views.remove_candidate,
        name="remove_candidate",
    ),
    path(
        "sessions/<uuid:session_id>/candidates/<uuid:candidate_id>/extra-time/",
        candidate_views.extra_time,
        name="extra_time",
    ),
    path("sessions/<uuid:session_id>/live/", live_views.live_session, name="live_session"),
    path("sessions/<uuid:session_id>/live/time/", live_views.add_time, name="add_time"),
    path("sessions/<uuid:session_id>/live/codes/<uuid:candidate_id>/", live_views.let_try_again, name="let_try_again"),
    path("sessions/<uuid:session_id>/live/<uuid:sitting_id>/", live_views.live_sitting, name="live_sitting"),
    path("sessions/<uuid:session_id>/live/<uuid:sitting_id>/act/", live_views.act_on_sitting, name="act_on_sitting"),
]
