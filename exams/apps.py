from django.apps import AppConfig


class ExamsConfig(AppConfig):
    name = "exams"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.mock.upcoming import ahead, effect_of_day
        from exams.papers.exam_bank import exposure, guarded_sources
        from exams.papers.guarded_requests import record_asked
        from exams.programmes.selectors import examining
        from exams.sittings.selectors import counts, open_exam
        from exams.worklist import work_of_exams
        from training.home import hooks as home_hooks
        from training.library import hooks as library_hooks
        from training.operations import hooks as operations_hooks
        from training.people import hooks as people_hooks
        from training.practice import hooks as practice_hooks
        from training.rulebooks import hooks as rulebooks_hooks

        home_hooks.exams_ahead.subscribe(ahead)
        home_hooks.work_waiting.subscribe(work_of_exams)
        library_hooks.exposure.subscribe(exposure)
        library_hooks.guarded_sources.subscribe(guarded_sources)
        library_hooks.ruling_asked.subscribe(record_asked)
        operations_hooks.counts.subscribe(counts)
        people_hooks.open_exam.subscribe(open_exam)
        practice_hooks.effect_on_readiness.subscribe(effect_of_day)
        rulebooks_hooks.programmes_examining.subscribe(examining)
