"""What the audit log says of programmes, sessions, sittings and results."""

from django.utils.translation import gettext_lazy as _

from exams.audit.act import Act

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
