from django.urls import path

from exams.mock import views

urlpatterns = [
    path("", views.mocks, name="mocks"),
    path("<uuid:mock_id>/", views.mock, name="mock"),
    path("<uuid:mock_id>/<number:position>/", views.mock_item, name="mock_item"),
]
