import { lazy, Suspense } from "react";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { useMaybeUser } from "../../lib/session.ts";
import { useStore } from "../../lib/store.ts";
import { currentBanner } from "./current-banner.ts";
import { sessionExpired } from "./session-expired.ts";

/** Seldom needed, so that it is no part of what the sign-in page waits for. */
const BannerNotice = lazy(() => import("./banner-notice.tsx"));

/** The one place for notices about the whole panel. */
export function PanelBanner({ className }: { className: string }) {
  const { instanceOperations } = useFrontEndConfig();
  const user = useMaybeUser();
  const banner = currentBanner({ sessionExpired: useStore(sessionExpired), instanceOperations, billingStatus: user?.account.billing?.status ?? null });
  if (!banner) return null;
  return (
    <Suspense fallback={null}>
      <BannerNotice banner={banner} className={className} />
    </Suspense>
  );
}
