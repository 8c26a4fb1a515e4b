"""URLs of practical exams: the candidate's table on screen, and the examiners' pages for a real one."""

from django.urls import path

from exams.practical import marking_views, views

urlpatterns = [
    path("sittings/<uuid:dealt_id>/", views.exam_table, name="exam_table"),
    path("sittings/<uuid:dealt_id>/act/", views.exam_act, name="exam_act"),
    path("sessions/<uuid:practical_id>/", marking_views.tables, name="practical_tables"),
    path("tables/<uuid:exam_table_id>/", marking_views.marking_page, name="practical_marking"),
    path("tables/<uuid:exam_table_id>/begin/", marking_views.begin, name="begin_marking"),
    path("tables/<uuid:exam_table_id>/tick/", marking_views.tick, name="tick"),
    path("tables/<uuid:exam_table_id>/hand-in/", marking_views.hand_in, name="hand_in_marking"),
    path("tables/<uuid:exam_table_id>/settle/", marking_views.settle, name="settle_marking"),
    path("tables/<uuid:exam_table_id>/sheet/", marking_views.sheet, name="practical_sheet"),
]
