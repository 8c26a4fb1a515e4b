from django.urls import include, path, re_path

from training.api import classes, docs, drills, engine, library, rulebooks

v1 = [
    path("rulebooks/", rulebooks.RulebooksView.as_view(), name="api_rulebooks"),
    path("rulebooks/<str:book_id>/", rulebooks.RulebookView.as_view(), name="api_rulebook"),
    path("rulebooks/<str:book_id>/topics/", rulebooks.TopicsView.as_view(), name="api_topics"),
    path("rulebooks/<str:book_id>/articles/", rulebooks.ArticlesView.as_view(), name="api_articles"),
    path("rulebooks/<str:book_id>/articles/<str:cite>/", rulebooks.ArticleView.as_view(), name="api_article"),
    path("drills/", drills.DrillsView.as_view(), name="api_drills"),
    path("drills/<uuid:drill_id>/", drills.DrillView.as_view(), name="api_drill"),
    path("drills/<uuid:drill_id>/answer/", drills.AnswerView.as_view(), name="api_answer"),
    path("drills/<uuid:drill_id>/again/", drills.SecondTryView.as_view(), name="api_second_try"),
    path("drills/<uuid:drill_id>/solution/", drills.SolutionView.as_view(), name="api_solution"),
    path("drills/<uuid:drill_id>/next/", drills.NextMomentView.as_view(), name="api_next_moment"),
    path("drills/<uuid:drill_id>/flag/", drills.FlagView.as_view(), name="api_flag"),
    path("mastery/", drills.MasteryView.as_view(), name="api_mastery"),
    path("assigned/", classes.SetWorkView.as_view(), name="api_assigned"),
    path("scenarios/", library.VersionsView.as_view(), name="api_versions"),
    path("scenarios/import/", library.ImportView.as_view(), name="api_import"),
    path("scenarios/<number:version_id>/", library.VersionView.as_view(), name="api_version"),
    path("scenarios/<number:version_id>/acts/", library.ActsView.as_view(), name="api_acts"),
    path("classes/", classes.ClassesView.as_view(), name="api_classes"),
    path("classes/<uuid:class_id>/", classes.ClassView.as_view(), name="api_class"),
    path("classes/<uuid:class_id>/grid/", classes.GridView.as_view(), name="api_grid"),
    path("classes/<uuid:class_id>/enrolments/", classes.EnrolmentsView.as_view(), name="api_enrolments"),
    path("classes/<uuid:class_id>/assignments/", classes.AssignmentsView.as_view(), name="api_assignments"),
    path("items/", engine.ItemsView.as_view(), name="api_items"),
    path("solve/", engine.SolveView.as_view(), name="api_solve"),
    path("generate/", engine.GenerateView.as_view(), name="api_generate"),
]
urlpatterns = [
    path("v1/", include(v1)),
    path("schema/", docs.SchemaView.as_view(), name="api_schema"),
    path("docs/", docs.docs, name="about_api"),
    # Everything else, including line breaks, which `path` does not match.
    re_path(r"^(?P<rest>[\s\S]+)$", docs.UnknownView.as_view(), name="api_unknown"),
]
