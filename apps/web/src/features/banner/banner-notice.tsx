import { X } from "lucide-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { useLocation } from "react-router";
import { loadPage } from "../../lib/faults/load-page.ts";
import { loadFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "./words.ts";
import type { Banner } from "./current-banner.ts";
import { sessionExpired } from "./session-expired.ts";

/** Operations are re-enabled without any action here: checked often enough to be noticed, seldom enough to cost nothing. */
const askAgainMs = 60_000;

/** Needed only for paused subscriptions. */
const ResubscribeButton = lazy(async () => ({
  default: (await loadPage(() => import("../billing/resubscribe/resubscribe-button.tsx"))).ResubscribeButton,
}));

/** The billing page says this itself, in more detail. */
const saidByBilling: readonly Banner[] = ["pastDue", "paused", "pauseRequested"];

/** What is wrong and how to fix it, one notice each; only a notice about something that has ended can be closed. */
export default function BannerNotices({ banners, className }: { banners: readonly Banner[]; className: string }) {
  const { pathname } = useLocation();
  const hasIssues = banners.includes("technicalIssues");
  useEffect(() => {
    if (!hasIssues) return;
    const timer = setInterval(() => void loadFrontEndConfig(), askAgainMs);
    return () => clearInterval(timer);
  }, [hasIssues]);
  const shown = banners.filter(
    (banner) => (pathname !== paths.billing || !saidByBilling.includes(banner)) && (pathname !== paths.suspended || banner !== "suspended"),
  );
  if (shown.length === 0) return null;
  return (
    <section aria-label={t("banner.label")} className={className}>
      <div className="space-y-3">
        {shown.map((banner) => (
          <BannerNotice key={banner} banner={banner} />
        ))}
      </div>
    </section>
  );
}

function BannerNotice({ banner }: { banner: Banner }) {
  const isOver = banner === "sessionExpired";
  return (
    <div className="relative rounded-lg bg-surface text-ink">
      <Notice
        tone={banner === "paused" || banner === "suspended" ? "danger" : "warning"}
        title={t(`banner.${banner}.title`)}
        action={actionOf(banner)}
        className={isOver ? "pr-11" : ""}
      >
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
  );
}

function actionOf(banner: Banner): ReactNode {
  if (banner === "suspended") return <ButtonLink to={paths.suspended}>{t("banner.suspended.action")}</ButtonLink>;
  if (banner === "pastDue") return <ButtonLink to={paths.billing}>{t("banner.pastDue.action")}</ButtonLink>;
  if (banner !== "paused" && banner !== "pauseRequested") return null;
  return (
    <>
      <Suspense fallback={null}>
        <ResubscribeButton />
      </Suspense>
      <ButtonLink to={paths.billing} tone="plain">
        {t("banner.paused.action")}
      </ButtonLink>
    </>
  );
}
