import { Check } from "lucide-react";
import { useState } from "react";
import { optionalMails, type OptionalMail } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import { createMailSwitch } from "../../features/profile/mail-switch.ts";
import { t } from "../../features/profile/words.ts";
import { callApi } from "../../lib/api/api-client.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { knownUser, refreshUser, updateUser, useMaybeUser } from "../../lib/session/session.ts";
import { notifyWithUndo } from "../../lib/notices/undo-notice.ts";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Place } from "../../ui/place.tsx";
import { Section } from "../../ui/section.tsx";

export const handle: PageHandle = { title: () => t("own.notifications.page") };

const alwaysSent = ["security", "billing", "end", "stopped"] as const;

/** Which mails are sent: a choice applies immediately, and can be undone. */
export function Component() {
  const user = useMaybeUser();
  if (!user) return null;
  return (
    <Place title={t("own.notifications.title")} lead={t("own.notifications.lead", { email: user.email })}>
      <OptionalMails user={user} />
      <Section title={t("own.notifications.always")} lead={t("own.notifications.alwaysLead")}>
        <ul className="space-y-2 text-sm">
          {alwaysSent.map((name) => (
            <li key={name} className="flex gap-2.5">
              <Check className="mt-0.5 size-4 shrink-0 text-ink-soft" aria-hidden="true" />
              {t(`own.notifications.alwaysList.${name}`)}
            </li>
          ))}
        </ul>
      </Section>
    </Place>
  );
}

const setMail = createMailSwitch({
  known: knownUser,
  update: updateUser,
  save: async (mutedMails, revision) => (await callApi("changeProfile", { body: { mutedMails, revision } })).user,
  read: refreshUser,
});

function OptionalMails({ user }: { user: User }) {
  const [error, setError] = useState<unknown>(null);
  const change = async (mail: OptionalMail, isOn: boolean) => {
    setError(null);
    try {
      await setMail(mail, isOn);
    } catch (refusal) {
      return setError(refusal);
    }
    const name = t(`own.notifications.mails.${mail}.label`);
    notifyWithUndo(t(isOn ? "own.notifications.on" : "own.notifications.off", { name }), { run: () => setMail(mail, !isOn) });
  };
  return (
    <Section title={t("own.notifications.optional")} lead={t("own.notifications.optionalLead")}>
      <div className="space-y-4">
        {optionalMails.map((mail) => (
          <CheckboxField
            key={mail}
            label={t(`own.notifications.mails.${mail}.label`)}
            hint={t(`own.notifications.mails.${mail}.hint`)}
            checked={!user.profile.mutedMails.includes(mail)}
            onChange={({ target }) => void change(mail, target.checked)}
          />
        ))}
      </div>
      {error ? <ErrorNotice error={error} title={t("own.notifications.failed")} className="mt-4" /> : null}
    </Section>
  );
}
