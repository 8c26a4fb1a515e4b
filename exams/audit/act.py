"""What the audit log says of an act: its title, and a sentence or several to choose from."""

from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Sentence = str | Promise


@dataclass(frozen=True)
class Act:
    """`title` names it in lists. If `by` names a detail, `sentences` has one sentence per value of it. `figures` are
    the details shown next to the sentence."""

    title: Sentence
    sentence: Sentence = ""
    by: str = ""
    sentences: dict[str, Sentence] = field(default_factory=dict)
    figures: tuple[str, ...] = ()

    def sentence_for(self, details: dict[str, object]) -> Sentence:
        return self.sentences.get(str(details.get(self.by, "")).lower(), self.sentence)


UNKNOWN = Act(_("Another action"), _("%(actor)s did something that this release cannot describe."))
