"""URLs of the candidate's sitting."""

from django.urls import path

from exams.sittings import views

urlpatterns = [
    path("enter/<uuid:candidate_id>/", views.enter_exam, name="enter_exam"),
    path("sittings/<uuid:sitting_id>/", views.open_sitting, name="sitting"),
    path("sittings/<uuid:sitting_id>/here/", views.go_on_here, name="go_on_here"),
    path("sittings/<uuid:sitting_id>/hand-in/", views.hand_in, name="hand_in"),
    path("sittings/<uuid:sitting_id>/pulse/", views.pulse, name="pulse_sitting"),
    path("sittings/<uuid:sitting_id>/<number:position>/", views.item, name="sitting_item"),
    path("sittings/<uuid:sitting_id>/<number:position>/save/", views.save, name="save_response"),
]
