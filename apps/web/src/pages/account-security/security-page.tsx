import type { ReactNode } from "react";
import { PendingChange } from "../../features/credentials/email-change/pending-change.tsx";
import { SessionsSection } from "../../features/sessions/sessions-section.tsx";
import { useMaybeUser } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Place } from "../../ui/place.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "../../features/sessions/words.ts";
import { t as credentialText } from "../../features/credentials/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => credentialText("account.security") };

/** How the user signs in, and their sessions. The dialogs are those of the account menu, named by the address. */
export function Component() {
  const user = useMaybeUser();
  if (!user) return null;
  return (
    <Place title={t("sessions.title")} lead={t("sessions.lead")}>
      <Section title={t("sessions.signIn")} flush>
        <ul className="divide-y divide-line px-5 sm:px-6">
          <Way name={t("sessions.email")} text={user.email} to="?account=change-email" change={t("sessions.changeEmail")}>
            <PendingChange current={user.email} className="basis-full outline-none" />
          </Way>
          <Way
            name={t("sessions.password")}
            text={t(user.hasPassword ? "sessions.passwordText" : "sessions.noPassword")}
            to="?account=change-password"
            change={t(user.hasPassword ? "sessions.changePassword" : "sessions.choosePassword")}
          />
        </ul>
      </Section>
      <SessionsSection />
    </Place>
  );
}

function Way({ name, text, to, change, children }: { name: string; text: string; to: string; change: string; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 text-sm">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{name}</p>
        <p className="mt-0.5 [overflow-wrap:anywhere] text-ink-soft">{text}</p>
      </div>
      <ButtonLink tone="plain" to={to} className="max-sm:w-full sm:min-w-44">
        {change}
      </ButtonLink>
      {children}
    </li>
  );
}
