import { lazy, Suspense } from "react";
import { loadPage } from "../../lib/faults/load-page.ts";
import { isConfigured } from "../../lib/analytics/analytics.ts";
import { chooseConsent, useConsent } from "../../lib/analytics/consent.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { t } from "../../words/frame.ts";

const ConsentBanner = lazy(() => loadPage(() => import("./consent-banner.tsx")).then(({ ConsentBanner: banner }) => ({ default: banner })));

/** The question, if analytics is on and it has not been answered. */
export function ConsentGate() {
  const config = useFrontEndConfig();
  const consent = useConsent();
  if (!isConfigured(config) || consent !== "undecided") return null;
  return (
    <Suspense fallback={null}>
      <ConsentBanner />
    </Suspense>
  );
}

/** Reopens the question, for visitors who want to change their answer; nothing if analytics is off. */
export function ConsentButton({ className }: { className?: string }) {
  const config = useFrontEndConfig();
  if (!isConfigured(config)) return null;
  return (
    <button type="button" onClick={() => chooseConsent("undecided")} className={className}>
      {t("nav.analyticsChoices")}
    </button>
  );
}
