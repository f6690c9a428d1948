import { redirect } from "react-router";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { refreshUser, useMaybeUser } from "../../lib/session.ts";
import { ButtonLink, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { t } from "../../words/words.ts";

/** Payments change elsewhere: the page always asks how they are. */
export const loader = async () => ((await refreshUser()) ? null : redirect(paths.home));

const longDate = new Intl.DateTimeFormat("en", { dateStyle: "long" });

/** How the account pays, as far as it is known; who can change it. */
export function Component() {
  const user = useMaybeUser();
  const { supportEmail } = useFrontEndConfig();
  if (!user?.account.billing) return null;
  const { billing, planSpec } = user.account;
  const until = planSpec?.expirationDate;
  const subject = encodeURIComponent(t("billing.subject", { name: user.username }));
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="mb-6 text-2xl font-semibold">{t("billing.title")}</h1>
      <Card label={t("billing.title")}>
        <dl className="divide-y divide-line px-5 text-sm sm:px-6">
          <Row name={t("billing.plan")} value={planSpec?.displayName ?? billing.planId} />
          <Row name={t("billing.status")} value={t(`billing.statuses.${billing.status}.label`)} />
          {until ? <Row name={t("billing.until")} value={longDate.format(new Date(until))} /> : null}
        </dl>
        <p className="border-t border-line px-5 pt-5 text-ink-soft sm:px-6">{t(`billing.statuses.${billing.status}.text`)}</p>
        <div className="flex flex-wrap gap-2 p-5 sm:px-6">
          {supportEmail ? (
            <a href={`mailto:${supportEmail}?subject=${subject}`} className={buttonClass()}>
              {t("billing.write", { email: supportEmail })}
            </a>
          ) : null}
          <ButtonLink to={paths.manage} tone="plain">
            {t("billing.back")}
          </ButtonLink>
        </div>
      </Card>
    </div>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3.5">
      <dt className="font-medium">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
