from django.apps import AppConfig


class SessionsConfig(AppConfig):
    name = "exams.exam_sessions"
    label = "exam_sessions"  # Django has an app named sessions

    def ready(self) -> None:
        from exams.exam_sessions.letters import tell_soon
        from exams.papers.signals import ready

        ready.connect(tell_soon, dispatch_uid="tell candidates of a session that is ready")
