import { lazy, Suspense } from "react";
import { loadPage } from "../../lib/faults/load-page.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { useStore } from "../../lib/store.ts";
import { currentBanners } from "./current-banner.ts";
import { sessionExpired } from "./session-expired.ts";

/** Rarely needed, so it is not part of what the sign-in page waits for. */
const BannerNotices = lazy(() => loadPage(() => import("./banner-notice.tsx")));

/** The one place for notices about the whole panel. */
export function PanelBanner({ className }: { className: string }) {
  const { instanceOperations } = useFrontEndConfig();
  const user = useMaybeUser();
  const banners = currentBanners({
    sessionExpired: useStore(sessionExpired),
    instanceOperations,
    isSuspended: Boolean(user?.account.suspension),
    billingStatus: user?.account.billing?.status ?? null,
    // Only a pause after failed payments has a day of deletion.
    isPauseRequested: user?.account.instance != null && user.account.instance.deletionAt === undefined,
  });
  if (banners.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <BannerNotices banners={banners} className={className} />
    </Suspense>
  );
}
