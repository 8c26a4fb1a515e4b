from django.urls import path

from exams.appeals import objection_views, views

urlpatterns = [
    path("", views.appeals, name="appeals"),
    path("own/", views.own_appeals, name="own_appeals"),
    path("objections/", objection_views.objection_register, name="objections"),
    path("objections/own/", objection_views.own_objections, name="own_objections"),
    path("objections/<uuid:objection_id>/", objection_views.objection, name="objection"),
    path("objections/<uuid:objection_id>/done/", objection_views.carry_out_objection, name="carry_out_objection"),
    path("items/<number:form_item_id>/", views.lodge, name="lodge_appeal"),
    path("<uuid:appeal_id>/", views.appeal, name="appeal"),
]
