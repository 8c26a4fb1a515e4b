from django.urls import path

from training.library import editor_views, import_export_views, views

urlpatterns = [
    path("", views.library, name="library"),
    path("generate/", import_export_views.generate, name="generate_scenarios"),
    path("generate/drawing/", import_export_views.candidate, name="candidate"),
    path("generate/keep/", import_export_views.keep, name="keep_candidates"),
    path("import/", import_export_views.import_file, name="import_scenarios"),
    path("import/confirm/", import_export_views.confirm_import, name="confirm_import"),
    path("export.json", import_export_views.export_json, name="export_scenarios_json"),
    path("import/template.xlsx", import_export_views.import_template, name="import_template"),
    path("export.xlsx", import_export_views.export_xlsx, name="export_scenarios_xlsx"),
    path("export.csv", import_export_views.export_csv, name="export_scenarios_csv"),
    path("several/", import_export_views.act_on_several, name="act_on_several"),
    path("schema.json", import_export_views.file_schema, name="scenario_file_schema"),
    path("new/", editor_views.new_scenario, name="new_scenario"),
    path("suspended/", views.suspended, name="suspended"),
    path("<number:version_id>/", views.version, name="version"),
    path("<number:version_id>/table/", views.drawn, name="version_table"),
    path("<number:version_id>/edit/", editor_views.edit_version, name="edit_version"),
    path("<number:version_id>/editors/", editor_views.who_edits, name="who_edits"),
    path("<number:version_id>/next/", editor_views.next_moment, name="next_moment"),
    path("<number:version_id>/moments/<number:moment_number>/edit/", editor_views.edit_moment, name="edit_moment"),
    path("<number:version_id>/act/", views.act, name="act_on_version"),
    path("<number:version_id>/margin/", views.in_the_margin, name="in_the_margin"),
]
