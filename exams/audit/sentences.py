"""The title and sentence of every act in the audit log.

Every act the code records must be here (`tests/exams/test_audit_words.py`). Sentences name people and things by the
values that `facts` finds; a detail of the entry can choose between several sentences.
"""

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

PROGRAMMES = {
    "programme.created": Act(
        _("Programme: begun"), _("%(actor)s began the programme %(programme)s with its first draft.")
    ),
    "programme.drafted": Act(
        _("Programme: new draft"), _("%(actor)s began draft %(version)s of the programme %(programme)s.")
    ),
    "programme.changed": Act(
        _("Programme: draft changed"), _("%(actor)s changed draft %(version)s of the programme %(programme)s.")
    ),
    "programme.published": Act(
        _("Programme: put in force"),
        _("%(actor)s put version %(version)s of the programme %(programme)s in force."),
        figures=("author", "replaces", "pass_mark", "recommended", "ratings", "lifted"),
    ),
    "programme.judged": Act(
        _("Programme: pass mark judged"),
        _("%(actor)s judged what pass mark version %(version)s of the programme %(programme)s needs."),
        figures=("round",),
    ),
    "duty.asked": Act(
        _("Duties: waiver requested"),
        _("%(actor)s asked to waive a rule of the separation of duties."),
        figures=("line",),
    ),
    "duty.lifted": Act(
        _("Duties: rule waived"),
        _("%(actor)s signed, as the second person, that a rule of the separation of duties is waived."),
        figures=("line", "asked_by"),
    ),
    "duty.restored": Act(
        _("Duties: rule back in force"),
        _("%(actor)s put a rule of the separation of duties back in force."),
        figures=("line",),
    ),
    "programme.discarded": Act(
        _("Programme: draft discarded"), _("%(actor)s discarded draft %(version)s of the programme %(programme)s.")
    ),
    "examiner.appointed": Act(
        _("Examiner: appointed"), _("%(actor)s appointed %(person)s as an examiner in the programme %(programme)s.")
    ),
    "examiner.dismissed": Act(
        _("Examiner: dismissed"), _("%(actor)s dismissed %(person)s as an examiner in the programme %(programme)s.")
    ),
}

SESSIONS = {
    "session.created": Act(
        _("Session: set up"),
        _("%(actor)s set up the session %(session)s."),
        figures=("programme_version", "place", "opens_at", "entry_closes_at"),
    ),
    "session.changed": Act(_("Session: changed"), _("%(actor)s changed the session %(session)s.")),
    "session.preparing": Act(
        _("Session: papers ordered"), _("%(actor)s ordered the papers of the session %(session)s.")
    ),
    "session.ready": Act(
        _("Session: ready"),
        _("%(actor)s made the papers of the session %(session)s: it is ready."),
        figures=("forms", "items", "bank"),
    ),
    "session.papers_failed": Act(
        _("Session: papers not made"), _("%(actor)s could not make the papers of the session %(session)s.")
    ),
    "session.form_renewed": Act(
        _("Session: paper renewed"),
        _("%(actor)s replaced cases in a paper of the session %(session)s: the candidate had met them in practice."),
        figures=("items",),
    ),
    "session.taken_back": Act(
        _("Session: taken back to set-up"),
        _("%(actor)s took the session %(session)s back to set-up; its papers were discarded."),
    ),
    "session.cancelled": Act(_("Session: cancelled"), _("%(actor)s cancelled the session %(session)s.")),
    "session.candidate_entered": Act(
        _("Session: candidates entered"), _("%(actor)s entered for the session %(session)s: %(people)s.")
    ),
    "session.candidate_removed": Act(
        _("Session: candidate removed"), _("%(actor)s removed from the session %(session)s: %(people)s.")
    ),
    "session.extra_time": Act(
        _("Session: extra time granted"),
        _("%(actor)s granted extra time to %(person)s in the session %(session)s."),
        figures=("minutes",),
    ),
    "session.invigilator_added": Act(
        _("Session: invigilator named"), _("%(actor)s named %(person)s to invigilate the session %(session)s.")
    ),
    "session.invigilator_removed": Act(
        _("Session: invigilator removed"),
        _("%(actor)s removed %(person)s from the invigilators of the session %(session)s."),
    ),
    "practical.marking_begun": Act(
        _("Practical exam: marking begun"),
        _("%(actor)s began to mark %(person)s at the table in the session %(session)s."),
    ),
    "practical.sheet_opened": Act(
        _("Practical exam: sheet opened"),
        _("%(actor)s opened the sheet for the table of %(person)s in the session %(session)s."),
    ),
    "practical.handed_in": Act(
        _("Practical exam: marks handed in"),
        _("%(actor)s handed in the marks of %(person)s at the table in the session %(session)s."),
    ),
    "practical.proposed": Act(
        _("Practical exam: settlement proposed"),
        _("%(actor)s proposed how to settle what the examiners of %(person)s marked differently."),
        figures=("differing",),
    ),
    "practical.settled": Act(
        _("Practical exam: marks settled"),
        by="how",
        sentences={
            "same": _("Both examiners of %(person)s marked the same; %(actor)s handed in last."),
            "agreed": _("The examiners of %(person)s agreed on what they had marked differently; %(actor)s confirmed."),
            "third": _("%(actor)s decided, as a third person, what the examiners of %(person)s marked differently."),
        },
        figures=("differing",),
    ),
    "ruling.asked": Act(
        _("Ruling on an exam case: requested"),
        _("%(actor)s asked for the ruling on a case that an exam uses or that is kept for one, and was refused."),
    ),
    "ruling.asked_seen": Act(
        _("Ruling on an exam case: request seen"),
        _("%(actor)s looked at the rulings that %(person)s asked for on an exam case."),
        figures=("day",),
    ),
    "candidate.refused": Act(
        _("Sitting: entry refused"), _("%(actor)s refused %(person)s entry to the session %(session)s.")
    ),
    "candidate.admitted": Act(
        _("Sitting: let in after all"), _("%(actor)s let %(person)s into the session %(session)s after all.")
    ),
    "candidate.codes_forgotten": Act(
        _("Sitting: codes may be tried again"),
        _("%(actor)s let %(person)s try the access code of the session %(session)s again."),
    ),
}

SITTINGS = {
    "sitting.begun": Act(_("Sitting: begun"), _("%(person)s began the exam of the session %(session)s.")),
    "sitting.closed": Act(
        _("Sitting: closed"),
        _("%(actor)s closed the exam of %(person)s in the session %(session)s."),
        by="by",
        sentences={
            "candidate": _("%(person)s handed in the exam of the session %(session)s."),
            "time": _("The time of %(person)s in the session %(session)s ran out."),
        },
    ),
    "sitting.time_added": Act(
        _("Sitting: time added"),
        _("%(actor)s added time in the session %(session)s for: %(sitters)s."),
        figures=("minutes",),
    ),
    "sitting.noted": Act(
        _("Sitting: incident noted"),
        _("%(actor)s noted an incident in the exam of %(person)s in the session %(session)s."),
    ),
    "sitting.identity_taken_back": Act(
        _("Sitting: identity check taken back"), _("%(actor)s took back the identity check of %(person)s.")
    ),
    "sitting.identity_checked": Act(
        _("Sitting: identity checked"),
        _("%(actor)s checked the identity of %(person)s in the session %(session)s."),
    ),
    "sitting.released": Act(
        _("Sitting: released for another browser"),
        _("%(actor)s let %(person)s continue the exam of the session %(session)s in another browser."),
    ),
    "annulment.asked": Act(
        _("Annulment: requested"),
        _(
            "%(actor)s asked for the exam of %(person)s in the session %(session)s to be annulled, or the attempt "
            "given back."
        ),
        figures=("remedy",),
    ),
    "annulment.refused": Act(
        _("Annulment: refused"),
        _("%(actor)s refused what was asked for about the exam of %(person)s in the session %(session)s."),
        figures=("remedy", "asked_by"),
    ),
    "sitting.annulled": Act(
        _("Sitting: annulled"),
        _("%(actor)s annulled the exam of %(person)s in the session %(session)s."),
        figures=("try_back", "asked_by"),
    ),
    "sitting.try_given_back": Act(
        _("Sitting: attempt given back"),
        _("%(actor)s gave %(person)s back the attempt of the session %(session)s."),
        figures=("asked_by",),
    ),
    "sitting.graded": Act(
        _("Sitting: graded"),
        _("%(actor)s graded the exam of %(person)s in the session %(session)s."),
        figures=("marks", "decided", "released"),  # the score is shown with the result, once released
    ),
    "grading.tried_again": Act(
        _("Results: grading tried again"),
        _("%(actor)s had the exams that could not be graded in the session %(session)s tried again."),
        figures=("sittings",),
    ),
}

RESULTS = {
    "result.decided": Act(
        _("Result: decided"),
        _("%(actor)s decided the result of %(person)s in the session %(session)s."),
        by="passed",
        sentences={
            "true": _("%(actor)s decided that %(person)s passed the exam of the session %(session)s."),
            "false": _("%(actor)s decided that %(person)s did not pass the exam of the session %(session)s."),
        },
        figures=("by_rule", "released"),
    ),
    "result.released": Act(
        _("Result: released"), _("%(actor)s released the result of the session %(session)s to %(person)s.")
    ),
    "result.regraded": Act(
        _("Result: graded again"),
        _("%(actor)s put a new result of %(person)s in the session %(session)s in force."),
        figures=("cause", "marks"),
    ),
    "objection.lodged": Act(
        _("Appeal or complaint: lodged"), _("%(actor)s lodged submission %(number)s."), figures=("objection", "about")
    ),
    "objection.upheld": Act(
        _("Appeal or complaint: upheld"), _("%(actor)s upheld submission %(number)s."), figures=("objection",)
    ),
    "objection.carried_out": Act(
        _("Appeal or complaint: carried out"),
        _("%(actor)s did what submission %(number)s, which was upheld, asked for."),
        figures=("objection",),
    ),
    "objection.rejected": Act(
        _("Appeal or complaint: rejected"), _("%(actor)s rejected submission %(number)s."), figures=("objection",)
    ),
    "appeal.lodged": Act(_("Appeal: lodged"), _("%(person)s lodged appeal %(number)s.")),
    "appeal.upheld": Act(
        _("Appeal: upheld"), _("%(actor)s upheld appeal %(number)s of %(person)s."), figures=("remedy",)
    ),
    "appeal.rejected": Act(_("Appeal: rejected"), _("%(actor)s rejected appeal %(number)s of %(person)s.")),
    "appeal.carried_out": Act(
        _("Appeal: carried out"),
        _("%(actor)s carried out what was decided on appeal %(number)s of %(person)s."),
        figures=("sittings",),
    ),
    "regrade.started": Act(
        _("Regrade: started"),
        _("%(actor)s started a trial regrade of the programme %(programme)s."),
        figures=("rules", "sittings"),
    ),
    "regrade.ready": Act(
        _("Regrade: ready"),
        _("%(actor)s finished the trial regrade of the programme %(programme)s."),
        figures=("sittings", "changed"),
    ),
    "regrade.publishing": Act(
        _("Regrade: to be published"),
        _("%(actor)s decided to publish the regrade of the programme %(programme)s."),
        figures=("changed",),
    ),
    "regrade.published": Act(
        _("Regrade: published"),
        _("The regrade of the programme %(programme)s, which %(actor)s had decided to publish, is in force."),
        figures=("published", "overtaken"),
    ),
    "regrade.discarded": Act(
        _("Regrade: discarded"), _("%(actor)s discarded the regrade of the programme %(programme)s.")
    ),
}

CERTIFICATES = {
    "certificate.grant": Act(
        _("Certificate: issued"), _("%(actor)s issued certificate %(number)s to %(person)s."), figures=("scope",)
    ),
    "certificate.suspend": Act(
        _("Certificate: suspended"), _("%(actor)s suspended certificate %(number)s of %(person)s.")
    ),
    "certificate.reinstate": Act(
        _("Certificate: reinstated"), _("%(actor)s reinstated certificate %(number)s of %(person)s.")
    ),
    "certificate.reduce": Act(
        _("Certificate: reduced"), _("%(actor)s reduced what certificate %(number)s of %(person)s covers.")
    ),
    "certificate.extend": Act(
        _("Certificate: extended"), _("%(actor)s extended what certificate %(number)s of %(person)s covers.")
    ),
    "certificate.withdraw": Act(
        _("Certificate: withdrawn"), _("%(actor)s withdrew certificate %(number)s of %(person)s for good.")
    ),
    "certificate.expire": Act(_("Certificate: expired"), _("Certificate %(number)s of %(person)s expired.")),
    "certificate.renew": Act(
        _("Certificate: renewed"), _("Certificate %(number)s of %(person)s was replaced by a newer one.")
    ),
    "certificate.correct": Act(
        _("Certificate: replaced to correct the name"),
        _("%(actor)s had certificate %(number)s of %(person)s replaced by one with the corrected name."),
    ),
    "signing_key.made": Act(_("Signing key: created"), _("%(actor)s created a new key to sign credentials with.")),
    "name.correction_asked": Act(_("Name: change requested"), _("%(actor)s asked for another name for %(person)s.")),
    "name.corrected": Act(
        _("Name: changed by two people"),
        _("%(actor)s confirmed the new name of %(person)s."),
        figures=("asked_by", "certificates"),
    ),
    "name.correction_refused": Act(
        _("Name: left as it was"),
        _("%(actor)s left the name of %(person)s as it was."),
        figures=("name",),
    ),
    "withdrawal.asked": Act(_("Withdrawal: asked"), _("%(actor)s asked to withdraw certificate %(number)s.")),
    "withdrawal.confirmed": Act(
        _("Withdrawal: confirmed"),
        _("%(actor)s confirmed, as the second person, that a certificate is withdrawn."),
        figures=("asked_by",),
    ),
    "withdrawal.refused": Act(
        _("Withdrawal: refused"),
        _("%(actor)s turned down the request to withdraw a certificate."),
        figures=("asked_by",),
    ),
    "issue.asked": Act(
        _("Certificate without a confirmed identity: requested"),
        _("%(actor)s asked for the certificate of %(person)s, whose identity nobody confirmed in the exam."),
        figures=("name",),
    ),
    "issue.confirmed": Act(
        _("Certificate without a confirmed identity: signed"),
        _("%(actor)s signed as the second person for certificate %(number)s of %(person)s."),
        figures=("name", "asked_by"),
    ),
    "issue.refused": Act(
        _("Certificate without a confirmed identity: refused"),
        _("%(actor)s refused the certificate of %(person)s that was asked for without a confirmed identity."),
        figures=("asked_by",),
    ),
}

PEOPLE = {
    "person.entered": Act(_("Person: added"), _("%(actor)s added %(person)s."), figures=("roles",)),
    "person.invited": Act(_("Person: invited again"), _("%(actor)s sent %(person)s the invitation again.")),
    "person.corrected": Act(
        _("Person: address corrected"), _("%(actor)s corrected the account details of %(person)s.")
    ),
    "person.closed": Act(
        _("Account: closed"),
        _("%(actor)s closed the account of %(person)s."),
        by="why",
        sentences={"left": _("%(actor)s closed the account of %(person)s, whose last day at work is over.")},
    ),
    "person.returned": Act(
        _("Account: opened again"),
        _("%(actor)s undid the closing of the account of %(person)s by an administrator."),
        by="why",
        sentences={"left": _("%(actor)s undid the entry that %(person)s no longer works here.")},
        figures=("may_sign_in",),
    ),
    "person.exported": Act(
        _("Person: copy of the data made"), _("%(actor)s made a copy of all the data about %(person)s.")
    ),
    "person.erased": Act(
        _("Person: erased"),
        _("%(actor)s erased everything kept about %(person)s that is not evidence."),
        figures=("rows",),
    ),
    "person.practice_forgotten": Act(
        _("Person: practice deleted"),
        _("%(actor)s deleted the practice of %(person)s, who left longer ago than it is kept."),
        figures=("rows",),
    ),
    "person.dossier": Act(_("Person: dossier made"), _("%(actor)s made a dossier on %(person)s.")),
    "second_factor.removed": Act(
        _("Two-step verification: removed"), _("%(actor)s removed the two-step verification of %(person)s.")
    ),
    "account.confirmed": Act(_("Account: confirmed"), _("%(actor)s confirmed the account of %(person)s.")),
    "second_factor.set_up": Act(
        _("Two-step verification: set up"),
        _("%(actor)s set up an authenticator app for two-step verification."),
        by="kind",
        sentences={"recovery_codes": _("%(actor)s got the first recovery codes for two-step verification.")},
    ),
    "second_factor.renewed": Act(
        _("Two-step verification: renewed"), _("%(actor)s created new recovery codes for two-step verification.")
    ),
    "second_factor.taken_away": Act(
        _("Two-step verification: turned off"),
        _("%(actor)s turned off the authenticator app for two-step verification."),
        by="kind",
        sentences={"recovery_codes": _("%(actor)s turned off the recovery codes for two-step verification.")},
    ),
    "token.made": Act(_("API token: created"), _("%(actor)s created an API token."), figures=("tokens", "scopes")),
    "token.revoked": Act(
        _("API token: revoked"), _("%(actor)s revoked API tokens of %(person)s."), figures=("tokens",)
    ),
    "sign_on.connected": Act(
        _("Sign-on: account connected"), _("%(actor)s connected the account of %(person)s to the directory.")
    ),
    "sign_on.disconnected": Act(
        _("Sign-on: account disconnected"), _("%(actor)s disconnected the account of %(person)s from the directory.")
    ),
    "sign_on.refused": Act(
        _("Sign-on: refused"),
        _("%(actor)s refused %(person)s, whose groups in the directory give no access, and ended their sessions."),
    ),
    "sign_on.group_mapped": Act(
        _("Sign-on: group added"),
        _("%(actor)s gave the members of the group “%(name)s” of the directory a role: %(roles)s."),
    ),
    "sign_on.group_unmapped": Act(
        _("Sign-on: group removed"),
        _("%(actor)s took this role from the members of the group “%(name)s” of the directory: %(roles)s."),
    ),
    "sign_on.passwords_off": Act(
        _("Sign-on: local passwords off"),
        _("%(actor)s turned off local passwords; only %(person)s keeps one, for emergencies."),
    ),
    "sign_on.passwords_on": Act(_("Sign-on: local passwords on"), _("%(actor)s turned local passwords on again.")),
    "sign_on.break_glass": Act(
        _("Sign-on: emergency sign-in"), _("%(actor)s used the password that is kept for emergencies.")
    ),
    "role.given": Act(
        _("Role: given"),
        _("%(actor)s gave %(person)s a role: %(roles)s."),
        by="why",
        sentences={"directory": _("Because of their groups in the directory, %(person)s got a role: %(roles)s.")},
    ),
    "role.taken": Act(
        _("Role: removed"),
        _("%(actor)s removed a role from %(person)s: %(roles)s."),
        by="why",
        sentences={"directory": _("Because of their groups in the directory, %(person)s lost a role: %(roles)s.")},
    ),
    "staff.changed": Act(_("Staff: record changed"), _("%(actor)s changed the record of %(person)s.")),
    "instrument.entered": Act(
        _("House: legal instrument entered"),
        _("%(actor)s entered the legal instrument that certificates name for %(rulebook)s."),
    ),
    "staff.confirmed": Act(
        _("Staff: list confirmed"), _("%(actor)s confirmed a staff list to be applied."), figures=("list_rows",)
    ),
    "staff.imported": Act(
        _("Staff: list imported"),
        _("%(actor)s imported a staff list."),
        figures=("entered", "changed", "left_out", "rows_left"),
    ),
    "register.joined": Act(_("Public register: joined"), _("%(person)s joined the public register.")),
    "register.left": Act(_("Public register: left"), _("%(person)s left the public register.")),
    "house.changed": Act(_("House: settings changed"), _("%(actor)s changed the settings of the house.")),
    "reading.adopted": Act(
        _("House ruling: recorded"),
        _("%(actor)s recorded the house's reading of an open question of %(rulebook)s: %(question)s"),
    ),
    "reading.signed": Act(
        _("House ruling: signed"),
        _(
            "%(actor)s signed, as the second person, the house's reading of an open question of %(rulebook)s: "
            "%(question)s"
        ),
    ),
    "reading.withdrawn": Act(
        _("House ruling: withdrawn"),
        _("%(actor)s withdrew the house's reading of an open question of %(rulebook)s: %(question)s"),
    ),
    "reading.withdrawal_asked": Act(
        _("House ruling: withdrawal asked for"),
        _("%(actor)s asked to withdraw the house's reading of an open question of %(rulebook)s: %(question)s"),
    ),
    "reading.kept": Act(
        _("House ruling: kept"),
        _(
            "%(actor)s turned down the request to withdraw the house's reading of an open question of %(rulebook)s: "
            "%(question)s"
        ),
    ),
    "procedure.adopted": Act(
        _("Procedure: adopted"),
        _("%(actor)s adopted procedure %(number)s of the house where %(rulebook)s is silent: %(question)s"),
    ),
    "procedure.signed": Act(
        _("Procedure: signed"),
        _("%(actor)s signed, as the second person, procedure %(number)s of the house: %(question)s"),
    ),
    "procedure.withdrawn": Act(
        _("Procedure: withdrawn"),
        _("%(actor)s withdrew procedure %(number)s of the house: %(question)s"),
    ),
    "procedure.withdrawal_asked": Act(
        _("Procedure: withdrawal asked for"),
        _("%(actor)s asked to withdraw procedure %(number)s of the house: %(question)s"),
    ),
    "procedure.kept": Act(
        _("Procedure: kept"),
        _("%(actor)s turned down the request to withdraw procedure %(number)s of the house: %(question)s"),
    ),
    "table.added": Act(_("Table: set up"), _("%(actor)s set up the table “%(name)s” for %(rulebook)s.")),
    "table.changed": Act(_("Table: changed"), _("%(actor)s changed the table “%(name)s” for %(rulebook)s.")),
    "table.moved": Act(_("Table: moved"), _("%(actor)s moved up the table “%(name)s” for %(rulebook)s.")),
    "table.retired": Act(_("Table: out of use"), _("%(actor)s took the table “%(name)s” for %(rulebook)s out of use.")),
    "table.taken_up": Act(_("Table: in use"), _("%(actor)s took the table “%(name)s” for %(rulebook)s into use.")),
    "text.loaded": Act(
        _("Official wording: loaded"),
        _("%(actor)s loaded the official wording of %(rulebook)s."),
        figures=("articles",),
    ),
    "text.removed": Act(_("Official wording: removed"), _("%(actor)s removed the official wording of %(rulebook)s.")),
    "webhook.added": Act(
        _("Other system: added"),
        _("%(actor)s added another system to be notified of certificates."),
        figures=("address",),
    ),
    "webhook.stopped": Act(
        _("Other system: stopped"),
        _("%(actor)s stopped another system being notified of certificates."),
        figures=("address",),
    ),
    "export.asked": Act(_("Export: requested"), _("%(actor)s asked for an export."), figures=("what", "format")),
    "schedule.begun": Act(
        _("Regular export: started"),
        _("%(actor)s asked for an export to be made regularly."),
        figures=("what", "format", "every"),
    ),
    "schedule.made": Act(
        _("Regular export: made"),
        _("The platform had an export made that %(person)s gets regularly."),
        figures=("what", "format"),
    ),
    "schedule.stopped": Act(
        _("Regular export: stopped"),
        _("%(actor)s stopped an export that %(person)s got regularly."),
        figures=("what", "format"),
    ),
    "secrets.resealed": Act(
        _("Installation: secrets resealed"),
        _("Whoever operates Sabot resealed the stored secrets, by command, with the key now in use."),
        figures=("sealed", "shut"),
    ),
    "audit.exported": Act(
        _("Audit log: exported"), _("%(actor)s exported the audit log."), figures=("entries", "format")
    ),
}

ACTS: dict[str, Act] = PROGRAMMES | SESSIONS | SITTINGS | RESULTS | CERTIFICATES | PEOPLE
