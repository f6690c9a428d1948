import { Lock } from "lucide-react";
import { useState } from "react";
import { optionalMails, type OptionalMail } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import { createMailSwitch } from "../../features/notifications/mail-switch.ts";
import { t } from "../../features/notifications/words.ts";
import { callApi } from "../../lib/api/api-client.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { knownUser, refreshUser, updateUser, useMaybeUser } from "../../lib/session/session.ts";
import { notifyWithUndo } from "../../lib/notices/undo-notice.ts";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Place } from "../../ui/place.tsx";
import { Section } from "../../ui/section.tsx";

export const handle: PageHandle = { title: () => t("notifications.page") };

/** By what they are about. Those that are not among the optional ones are always sent. */
const subjects = [
  { name: "workspace", mails: ["usage", "stopped", "updates", "failedUpdates", "exports", "credentials", "deletion"] },
  { name: "billing", mails: ["receipts", "payments", "cards", "plan", "end"] },
  { name: "security", mails: ["links", "access"] },
] as const;
type Mail = (typeof subjects)[number]["mails"][number];

const isOptional = (mail: Mail): mail is OptionalMail => optionalMails.some((each) => each === mail);

/** Which mails are sent, by subject: a choice applies immediately, and can be undone. */
export function Component() {
  const user = useMaybeUser();
  if (!user) return null;
  return (
    <Place title={t("notifications.title")} lead={t("notifications.lead", { email: user.email })}>
      {subjects.map(({ name, mails }) => (
        <Subject key={name} user={user} name={name} mails={mails} />
      ))}
    </Place>
  );
}

const setMail = createMailSwitch({
  known: knownUser,
  update: updateUser,
  save: async (mutedMails, revision) => (await callApi("changeProfile", { body: { mutedMails, revision } })).user,
  read: refreshUser,
});

function Subject({ user, name, mails }: { user: User; name: (typeof subjects)[number]["name"]; mails: readonly Mail[] }) {
  const [error, setError] = useState<unknown>(null);
  const change = async (mail: OptionalMail, isOn: boolean) => {
    setError(null);
    try {
      await setMail(mail, isOn);
    } catch (refusal) {
      return setError(refusal);
    }
    const label = t(`notifications.mails.${mail}.label`);
    notifyWithUndo(t(isOn ? "notifications.on" : "notifications.off", { name: label }), { run: () => setMail(mail, !isOn) });
  };
  return (
    <Section title={t(`notifications.subjects.${name}.title`)} lead={t(`notifications.subjects.${name}.lead`)} flush>
      {error ? <ErrorNotice error={error} title={t("notifications.failed")} className="m-5 sm:mx-6" /> : null}
      <ul className="divide-y divide-line px-5 sm:px-6">
        {mails.map((mail) => (
          <li key={mail} className="py-3">
            {isOptional(mail) ? (
              <CheckboxField
                label={t(`notifications.mails.${mail}.label`)}
                hint={t(`notifications.mails.${mail}.hint`)}
                checked={!user.profile.mutedMails.includes(mail)}
                onChange={({ target }) => void change(mail, target.checked)}
              />
            ) : (
              <AlwaysSent mail={mail} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** In line with the checkboxes: a lock where they have their box. */
function AlwaysSent({ mail }: { mail: Exclude<Mail, OptionalMail> }) {
  return (
    <>
      <p className="flex min-h-6 items-start gap-2.5 text-sm font-medium">
        <span role="img" aria-label={t("notifications.always")} title={t("notifications.always")} className="mt-0.5 shrink-0">
          <Lock className="size-4.5 p-px text-ink-soft" aria-hidden="true" />
        </span>
        {t(`notifications.mails.${mail}.label`)}
      </p>
      <p className="mt-0.5 pl-7 text-[0.8125rem] text-ink-soft">{t(`notifications.mails.${mail}.hint`)}</p>
    </>
  );
}
