import { X } from "lucide-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { useLocation } from "react-router";
import { loadFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import "../../words/add-banner-words.ts";
import { t } from "../../words/words.ts";
import type { Banner } from "./current-banner.ts";
import { sessionExpired } from "./session-expired.ts";

/** Operations come back without anybody's doing here: often enough to be noticed, seldom enough to be nothing. */
const askAgainMs = 60_000;

/** Only whoever is paused needs it. */
const ResubscribeButton = lazy(async () => ({ default: (await import("../billing/resubscribe-button.tsx")).ResubscribeButton }));

/** What the billing page says itself, and more of it. */
const saidByBilling: readonly Banner[] = ["pastDue", "paused"];

/** What is the matter and the way out; only what is over by now can be closed. */
export default function BannerNotice({ banner, className }: { banner: Banner; className: string }) {
  const { pathname } = useLocation();
  useEffect(() => {
    if (banner !== "technicalIssues") return;
    const timer = setInterval(() => void loadFrontEndConfig(), askAgainMs);
    return () => clearInterval(timer);
  }, [banner]);
  if (pathname === paths.billing && saidByBilling.includes(banner)) return null;
  const isOver = banner === "sessionExpired";
  return (
    <section aria-label={t("banner.label")} className={className}>
      <div className="relative rounded-lg bg-surface text-ink">
        <Notice tone={banner === "paused" ? "danger" : "warning"} title={t(`banner.${banner}.title`)} action={actionOf(banner)} className={isOver ? "pr-11" : ""}>
          {t(`banner.${banner}.text`)}
        </Notice>
        {isOver ? (
          <button
            type="button"
            aria-label={t("common.dismiss")}
            onClick={() => sessionExpired.set(false)}
            className="absolute top-2 right-2 grid size-8 place-items-center rounded-md text-ink-soft hover:text-ink [--focus:var(--color-accent)]"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        ) : null}
      </div>
    </section>
  );
}

function actionOf(banner: Banner): ReactNode {
  if (banner === "pastDue") return <ButtonLink to={paths.billing}>{t("banner.pastDue.action")}</ButtonLink>;
  if (banner !== "paused") return null;
  return (
    <>
      <Suspense fallback={null}>
        <ResubscribeButton charges />
      </Suspense>
      <ButtonLink to={paths.billing} tone="plain">
        {t("banner.paused.action")}
      </ButtonLink>
    </>
  );
}
