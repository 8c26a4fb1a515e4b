from django.urls import path

from exams.hr import act_views, bulk_views, law_views, list_views, staff_views, trail_views, views

urlpatterns = [
    path("", views.desk, name="hr_desk"),
    path("people/<number:person_id>/", views.one_person, name="hr_person"),
    path("people/<number:person_id>/dossier.pdf", views.person_dossier, name="hr_dossier"),
    path("people/<number:person_id>/record/", views.change_record, name="hr_record"),
    path("certificates/<uuid:certificate_id>/trail/", trail_views.certificate_trail, name="certificate_trail"),
    path("certificates/suspend/", bulk_views.suspend_many, name="hr_suspend_many"),
    path("certificates/<uuid:certificate_id>/<slug:deed_name>/", act_views.act, name="hr_act"),
    path("waiting/", views.waiting, name="hr_waiting"),
    path("waiting/issue/", bulk_views.issue_many, name="hr_issue_many"),
    path("waiting/<uuid:passed_id>/", act_views.issue, name="hr_issue"),
    path("tonight/", views.tonight, name="hr_tonight"),
    path("tonight.csv", views.tonight_csv, name="hr_tonight_csv"),
    path("tonight.json", views.tonight_json, name="hr_tonight_json"),
    path("law/", law_views.affected_holders, name="hr_law"),
    path("staff/", staff_views.import_staff, name="hr_staff"),
    path("staff/template.xlsx", staff_views.staff_template, name="hr_staff_template"),
    path("staff/confirm/", staff_views.confirm_staff, name="hr_staff_confirm"),
    path("staff/stop/", staff_views.stop_staff, name="hr_staff_stop"),
    path("staff/changes.csv", staff_views.staff_changes, name="hr_staff_changes"),
    path("exports/", list_views.own_exports, name="hr_exports"),
    path("exports/regular/<uuid:schedule_id>/stop/", list_views.stop_schedule, name="hr_stop_schedule"),
    path("exports/<uuid:export_id>/", list_views.export_state, name="hr_export"),
    path("exports/<uuid:export_id>/cancel/", list_views.cancel_export, name="hr_cancel_export"),
    path("exports/<uuid:export_id>/file/", list_views.export_file, name="hr_export_file"),
]
