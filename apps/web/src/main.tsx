/** Starts the panel. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import "./app.css";
import { sessionExpired } from "./features/banner/session-expired.ts";
import { whenPasswordNeeded, whenSignedOut } from "./lib/api/api-client.ts";
import { analytics, startAnalytics } from "./lib/analytics/analytics.ts";
import { loadPage } from "./lib/faults/load-page.ts";
import { watchFaults } from "./lib/faults/report-fault.ts";
import { loadFrontEndConfig } from "./lib/front-end-config.ts";
import { unsavedForms } from "./lib/forms/unsaved-input.ts";
import { whenPainted } from "./lib/first-view/first-paint.ts";
import { startLanguage } from "./lib/browser/language.ts";
import { notify } from "./lib/notices/notices.ts";
import { hearOtherTabs, tellOtherTabs } from "./lib/session/other-tabs.ts";
import { loginPath, paths } from "./lib/paths.ts";
import { followUsername } from "./lib/session/cached-username.ts";
import { followProfile } from "./lib/session/chosen-language.ts";
import { endSession, knownUser, onSessionEnd, onSessionStart } from "./lib/session/session.ts";
import { routes } from "./routes.tsx";
import { t } from "./words/frame.ts";

const router = createBrowserRouter(routes);

// When a session ends, everything loaded with it is discarded. A visitor who never signed in has nothing to lose.
whenSignedOut((error) => {
  const wasSignedIn = Boolean(knownUser());
  if (error.code === "other_person") {
    // Forgets what was drawn, and finds out who is signed in now.
    endSession("expired");
    return location.assign(paths.home);
  }
  if (!wasSignedIn && error.code !== "session_expired") return;
  endSession("expired");
  sessionExpired.set(true);
  if (!wasSignedIn) return;
  const { pathname, search } = router.state.location;
  void router.navigate(`${paths.home}?${new URLSearchParams({ returnPath: pathname + search })}`);
});

whenPasswordNeeded(async (isForPage) => (await loadPage(() => import("./features/credentials/ask-password.tsx"))).askPassword(isForPage));

// The tabs of a browser share one cookie.
hearOtherTabs((news) => {
  const known = knownUser();
  if (!known) return;
  if (news.kind === "signed-out") {
    const unsaved = unsavedForms();
    const isKept = unsaved.stored.length > 0;
    // This tab did not start the sign-out: unsaved input is kept for its user, or the user is told that it is lost.
    endSession(isKept ? "expired" : "signed-out");
    if (isKept || unsaved.held.length > 0)
      void loadPage(() => import("./features/sessions/unsaved/say-signed-out.ts")).then(({ saySignedOut }) => saySignedOut(unsaved));
    else notify("success", t("session.loggedOut"));
    const { pathname, search } = router.state.location;
    void router.navigate(loginPath(isKept ? pathname + search : undefined));
  } else if (news.userId !== known.id) {
    // Another user is signed in now: what is shown belongs to the previous one.
    endSession("expired");
    location.assign(paths.home);
  }
});

watchFaults();
followProfile();
followUsername();
startAnalytics();
// The page itself says what its first view needs of them.
whenPainted(() => void loadFrontEndConfig());
// A variant belongs to the account once there is one.
onSessionStart(() => {
  sessionExpired.set(false);
  const user = knownUser();
  if (user) tellOtherTabs({ kind: "signed-in", userId: user.id });
  analytics.track("User signed in", {});
  void loadFrontEndConfig();
});
onSessionEnd(() => {
  analytics.identify(null);
  void loadFrontEndConfig();
});

/** As long as a visitor perceives as immediate. */
const fontWaitMs = 300;

/**
 * Waits briefly for Inter, so that lines do not re-wrap once they can be read. On a slow network, the first page starts in the fallback
 * font.
 */
const fontIsThere = Promise.race([
  document.fonts.load('1rem "Inter Variable"').catch(() => undefined),
  new Promise((resolve) => setTimeout(resolve, fontWaitMs)),
]);

void Promise.all([startLanguage(), fontIsThere]).then(() =>
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  ),
);
