import { useEffect, useRef } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { ConsentGate } from "../features/consent/consent-gate.tsx";
import { usePageTitle } from "../lib/page-title.ts";
import { LogoMark } from "../ui/logo.tsx";
import { NavigationProgress } from "../ui/progress/navigation-progress.tsx";
import { Toaster } from "../ui/notices/toaster.tsx";
import { useTellPainted } from "../lib/first-view/first-paint.ts";
import { hasFocusedDialog } from "../lib/browser/focused-dialog.ts";
import { t } from "../words/frame.ts";

/** What every page has: the title, a progress bar while navigating, short messages, and focus that moves to a new page. */
export function RootLayout() {
  usePageTitle();
  useTellPainted();
  useFocusOnNewPage();
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-lg focus:bg-raised focus:px-4 focus:py-2 focus:text-ink focus:shadow-pop"
      >
        {t("common.skip")}
      </a>
      <NavigationProgress label={t("common.loading")} />
      <Outlet />
      <Toaster dismissLabel={t("common.dismiss")} />
      <ConsentGate />
      <ScrollRestoration />
    </>
  );
}

/** The logo that index.html already shows, and a text for screen readers. */
export function FirstPaint() {
  return (
    <div className="splash grid min-h-dvh place-items-center">
      <LogoMark className="size-10" />
      <output className="sr-only">{t("common.loading")}</output>
    </div>
  );
}

/** Where this document was opened: a mailed link redirects before anything is drawn, and its target is a new page as well. */
const openedAt = globalThis.location?.pathname;

/** Moves focus to the new page's content, unless the page has already set it. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const lastPath = useRef(openedAt);
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    const main = document.getElementById("main");
    if (main && !main.contains(document.activeElement) && !hasFocusedDialog()) main.focus({ preventScroll: true });
  }, [pathname]);
}
