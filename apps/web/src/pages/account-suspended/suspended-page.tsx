import { useEffect } from "react";
import { Link, useNavigate } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import { t } from "../../features/suspension/words.ts";
import { moment } from "../../lib/formats.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { paths } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Place } from "../../ui/place.tsx";
import { Section } from "../../ui/section.tsx";

export const handle: PageHandle = { title: () => t("suspension.page") };

/** Why the account is suspended, until when, whom to write to, and what is still possible. */
export function Component() {
  const account = useMaybeUser()?.account;
  const isElsewhere = account !== undefined && !account.suspension;
  const navigate = useNavigate();
  // A guard would be part of the first page that every visitor fetches.
  useEffect(() => {
    if (isElsewhere) void navigate(paths.dashboard, { replace: true });
  }, [isElsewhere, navigate]);
  if (!account?.suspension) return null;
  return (
    <Place title={t("suspension.title")} lead={t("suspension.lead")}>
      <Facts {...account.suspension} />
      <Contact account={account.name} />
      <StillPossible hasBilling={Boolean(account.billing)} isSetup={account.isSetup} />
    </Place>
  );
}

function Facts({ reason, since, until }: NonNullable<User["account"]["suspension"]>) {
  const facts = [
    [t("suspension.since"), moment.format(new Date(since))],
    [t("suspension.until"), until ? moment.format(new Date(until)) : t("suspension.openEnd")],
  ] as const;
  return (
    <Section title={t("suspension.reason")}>
      <p className="[overflow-wrap:anywhere]">{reason}</p>
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-soft">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-ink-soft">{t("suspension.afterwards")}</p>
    </Section>
  );
}

function Contact({ account }: { account: string }) {
  const { supportEmail: email } = useFrontEndConfig();
  const subject = encodeURIComponent(t("suspension.contact.subject", { account }));
  return (
    <Section title={t("suspension.contact.title")}>
      <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
        {email ? t("suspension.contact.text", { email, account }) : t("suspension.contact.none", { account })}
      </p>
      {email ? (
        <a href={`mailto:${email}?subject=${subject}`} className={buttonClass("primary", "mt-4")}>
          {t("suspension.contact.action")}
        </a>
      ) : null}
    </Section>
  );
}

function StillPossible({ hasBilling, isSetup }: { hasBilling: boolean; isSetup: boolean }) {
  const ways = [
    ...(isSetup ? [{ to: paths.backups, label: t("suspension.can.backups") }] : []),
    ...(hasBilling ? [{ to: paths.billing, label: t("suspension.can.billing") }] : []),
    { to: paths.security, label: t("suspension.can.security") },
  ];
  return (
    <Section title={t("suspension.can.title")}>
      <ul className="space-y-2 text-sm">
        {ways.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="link font-medium">
              {label}
            </Link>
          </li>
        ))}
      </ul>
      {hasBilling ? <p className="mt-4 text-sm text-ink-soft">{t("suspension.can.payment")}</p> : null}
    </Section>
  );
}
