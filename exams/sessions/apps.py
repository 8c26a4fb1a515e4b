from django.apps import AppConfig


class SessionsConfig(AppConfig):
    name = "exams.sessions"
    label = "exam_sessions"  # Django has an app named sessions

    def ready(self) -> None:
        from exams.papers.signals import ready
        from exams.sessions.letters import tell_soon

        ready.connect(tell_soon, dispatch_uid="tell candidates of a session that is ready")
