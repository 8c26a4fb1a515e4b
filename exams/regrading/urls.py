from django.urls import path

from exams.regrading import views

urlpatterns = [
    path("", views.regrades, name="regrades"),
    path("<uuid:regrade_id>/", views.regrade, name="regrade"),
    path("<uuid:regrade_id>/publish/", views.publish, name="publish_regrade"),
    path("<uuid:regrade_id>/discard/", views.discard, name="discard_regrade"),
]
