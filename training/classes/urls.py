from django.urls import path

from training.classes import assigned_views, people_views, record_views, views, work_views

urlpatterns = [
    path("assigned/", assigned_views.assigned, name="assigned"),
    path("assigned/<uuid:assignment_id>/next/", assigned_views.start_assigned, name="start_assigned"),
    path("classes/", views.classes, name="classes"),
    path("classes/new/", views.new_class, name="new_class"),
    path("classes/<uuid:class_id>/", views.class_grid, name="class"),
    path("classes/<uuid:class_id>/ideas/", views.class_ideas, name="class_ideas"),
    path("classes/<uuid:class_id>/export.csv", views.export_class, name="export_class"),
    path("classes/<uuid:class_id>/settings/", views.class_settings, name="class_settings"),
    path("classes/<uuid:class_id>/instructors/", views.change_instructors, name="change_instructors"),
    path("classes/<uuid:class_id>/close/", views.close_class, name="close_class"),
    path("classes/<uuid:class_id>/people/", people_views.people, name="class_people"),
    path("classes/<uuid:class_id>/people/enrol/", people_views.enrol, name="enrol"),
    path("classes/<uuid:class_id>/people/remove/", people_views.remove, name="unenrol"),
    path("classes/<uuid:class_id>/people/list/", people_views.enrol_list, name="enrol_list"),
    path("classes/<uuid:class_id>/assignments/", work_views.work, name="class_work"),
    path("classes/<uuid:class_id>/assignments/new/", work_views.assign, name="assign"),
    path("classes/<uuid:class_id>/assignments/<uuid:assignment_id>/", work_views.assignment, name="class_assignment"),
    path("classes/set/<number:version_id>/", work_views.set_scenario, name="set_scenario"),
    path(
        "classes/<uuid:class_id>/assignments/<uuid:assignment_id>/scenarios/",
        work_views.work_scenarios,
        name="work_scenarios",
    ),
    path("classes/<uuid:class_id>/assignments/<uuid:assignment_id>/extend/", work_views.extend, name="extend_work"),
    path(
        "classes/<uuid:class_id>/assignments/<uuid:assignment_id>/withdraw/", work_views.withdraw, name="withdraw_work"
    ),
    path("classes/<uuid:class_id>/trainees/<number:trainee_id>/", record_views.trainee, name="class_trainee"),
    path(
        "classes/<uuid:class_id>/trainees/<number:trainee_id>/answers/<uuid:drill_id>/",
        record_views.answer,
        name="class_answer",
    ),
    path(
        "classes/<uuid:class_id>/trainees/<number:trainee_id>/answers/<uuid:drill_id>/remark/",
        record_views.remark,
        name="remark_answer",
    ),
    path(
        "classes/<uuid:class_id>/trainees/<number:trainee_id>/answers/<uuid:drill_id>/scenario/",
        record_views.make_scenario,
        name="scenario_from_answer",
    ),
]
