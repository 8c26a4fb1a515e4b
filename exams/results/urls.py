from django.urls import path

from exams.results import annulment_views, examiner_views, own_views

urlpatterns = [
    path("", own_views.results, name="results"),
    path("<uuid:sitting_id>/", own_views.own_result, name="own_result"),
    path("<uuid:sitting_id>/sheet.pdf", own_views.own_sheet, name="own_sheet"),
    path("<uuid:sitting_id>/items/<number:position>/", own_views.own_result_item, name="own_result_item"),
    path("sessions/<uuid:session_id>/", examiner_views.session_results, name="session_results"),
    path("sessions/<uuid:session_id>/release/", examiner_views.release_results, name="release_results"),
    path("sessions/<uuid:session_id>/again/", examiner_views.grade_again, name="grade_again"),
    path("one/<uuid:result_id>/release/", examiner_views.release_result, name="release_result"),
    path("one/<uuid:result_id>/decide/", examiner_views.decide_result, name="decide_result"),
    path("one/<uuid:result_id>/items/<number:position>/", examiner_views.examined_item, name="examined_item"),
    path("sittings/<uuid:sitting_id>/annul/", annulment_views.annul_sitting, name="annul_sitting"),
    path("annulments/", annulment_views.annulments, name="annulments"),
    path("annulments/<number:annulment_id>/", annulment_views.decide_annulment, name="decide_annulment"),
]
