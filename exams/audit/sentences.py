"""The title and sentence of every act in the audit log.

Every act the code records must be here (`tests/exams/test_audit_words.py`). Sentences name people and things by the
values that `facts` finds; a detail of the entry can choose between several sentences.
"""

from exams.audit.act import Act
from exams.audit.exam_sentences import PROGRAMMES, RESULTS, SESSIONS, SITTINGS
from exams.audit.house_sentences import CERTIFICATES, PEOPLE

ACTS: dict[str, Act] = PROGRAMMES | SESSIONS | SITTINGS | RESULTS | CERTIFICATES | PEOPLE
