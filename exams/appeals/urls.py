from django.urls import path

from exams.appeals import views

urlpatterns = [
    path("", views.appeals, name="appeals"),
    path("own/", views.own_appeals, name="own_appeals"),
    path("items/<number:form_item_id>/", views.lodge, name="lodge_appeal"),
    path("<uuid:appeal_id>/", views.appeal, name="appeal"),
]
