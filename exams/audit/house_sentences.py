"""What the audit log says of certificates, people and the house."""

from django.utils.translation import gettext_lazy as _

from exams.audit.act import Act

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
