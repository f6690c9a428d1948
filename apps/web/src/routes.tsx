/** Every page, its layout, and who may see it. Each page is a separate chunk, fetched at its first visit. */
import { lazy, Suspense } from "react";
import { redirect, type RouteObject } from "react-router";
import { nextPath } from "./features/sign-up/journey/journey.ts";
import { keepTemplateId } from "./features/sign-up/template-redirect.ts";
import { BlankLayout } from "./layouts/blank-layout.tsx";
import { CrashOnCard, CrashPage, CrashWithin } from "./layouts/crash-page.tsx";
import { NotFoundPage } from "./layouts/not-found-page.tsx";
import { PublicLayout } from "./layouts/public-layout.tsx";
import { FirstPaint, RootLayout } from "./layouts/root-layout.tsx";
import { analyticsGuard } from "./lib/analytics/analytics-guard.ts";
import { loadPage } from "./lib/faults/load-page.ts";
import { hasFrontPage } from "./lib/front-end-config.ts";
import { page, spoken } from "./lib/page.tsx";
import {
  accountActive,
  accountHasBilling,
  accountNotSetup,
  accountSetup,
  auth,
  confirmedEmail,
  notAuth,
  templateLink,
  validPage,
} from "./lib/session/guards.ts";
import type { PageHandle } from "./lib/page-title.ts";
import { formerSettings, invoicePath, isInvoiceId, leadingOn, loginPath, paths } from "./lib/paths.ts";
import { freshUser, likelyUser } from "./lib/session/session.ts";
import { t } from "./words/frame.ts";
import { loadDashboard, loadSettings } from "./pages/fetched-ahead.ts";

const notFound: PageHandle = { title: () => t("notFound.page") };

const publicPages: RouteObject = {
  Component: spoken(PublicLayout),
  children: [
    {
      middleware: [notAuth],
      children: [
        { path: paths.login, lazy: page(() => import("./pages/login/login-page.tsx")) },
        { path: paths.magicLink, lazy: page(() => import("./pages/magic-link/magic-link-page.tsx")) },
        { path: paths.register, lazy: page(() => import("./pages/register/register-page.tsx")) },
      ],
    },
    { path: paths.continueAs, lazy: page(() => import("./pages/continue-as/continue-as-page.tsx")) },
    // Mails that say what somebody else may have done lead here, and their reader may be signed in.
    { path: paths.forgotPassword, lazy: page(() => import("./pages/forgot-password/forgot-password-page.tsx")) },
    { path: paths.resetPassword, lazy: page(() => import("./pages/reset-password/reset-password-page.tsx")) },
    { path: paths.changeEmail, lazy: page(() => import("./pages/change-email/change-email-page.tsx")) },
    { path: paths.confirmEmail, lazy: page(() => import("./pages/confirm-email/confirm-email-page.tsx")) },
  ],
};

const managePage: RouteObject = { lazy: page(loadSettings) };

const managePages: RouteObject = {
  middleware: [accountSetup, templateLink],
  children: [
    {
      lazy: page(() => import("./layouts/manage-layout.tsx")),
      children: [
        { path: paths.manage, ...managePage },
        { path: paths.manageInstance, ...managePage },
        { path: paths.monitoring, lazy: page(() => import("./pages/manage-monitoring/monitoring-page.tsx")) },
        { path: paths.logs, lazy: page(() => import("./pages/manage-logs/logs-page.tsx")) },
        { path: paths.versions, lazy: page(() => import("./pages/manage-versions/versions-page.tsx")) },
        { path: paths.backups, lazy: page(() => import("./pages/manage-backups/backups-page.tsx")) },
        {
          path: paths.billing,
          middleware: [accountHasBilling],
          lazy: page(() => import("./pages/manage-billing/billing-page.tsx")),
        },
        {
          path: invoicePath(":id"),
          middleware: [accountHasBilling, validPage(({ id }) => isInvoiceId(id))],
          lazy: page(() => import("./pages/manage-billing-invoices/invoice-page.tsx")),
        },
        { path: paths.export, lazy: page(() => import("./pages/manage-export/export-page.tsx")) },
        { path: paths.members, lazy: page(() => import("./pages/manage-members/members-page.tsx")) },
        { path: paths.danger, lazy: page(() => import("./pages/manage-danger/danger-page.tsx")) },
      ],
    },
    {
      path: paths.changePlan,
      middleware: [accountActive],
      lazy: page(() => import("./pages/account-change-plan/change-plan-page.tsx")),
    },
    { path: paths.checkout, middleware: [accountActive], lazy: page(() => import("./pages/account-checkout/checkout-page.tsx")) },
  ],
};

/** From the account to its workspace. */
const journeyPages: RouteObject = {
  middleware: [auth, accountActive],
  children: [
    { path: paths.inviteTeammate, lazy: page(() => import("./pages/invite-teammate/invite-page.tsx")) },
    {
      path: paths.survey,
      middleware: [accountNotSetup],
      lazy: page(() => import("./pages/account-survey/survey-page.tsx")),
    },
    {
      path: paths.apps,
      middleware: [accountNotSetup],
      lazy: page(() => import("./pages/account-apps/apps-page.tsx")),
    },
    { path: paths.verifyEmail, lazy: page(() => import("./pages/verify-email/verify-email-page.tsx")) },
    {
      path: paths.setup,
      middleware: [accountNotSetup, confirmedEmail],
      lazy: page(() => import("./pages/account-setup/setup-page.tsx")),
    },
    {
      path: paths.launching,
      middleware: [accountSetup, templateLink],
      lazy: page(() => import("./pages/account-launching/launching-page.tsx")),
    },
  ],
};

const signedInPages: RouteObject = {
  middleware: [auth],
  children: [
    {
      path: paths.dashboard,
      middleware: [accountActive, templateLink],
      lazy: page(loadDashboard),
    },
    { path: paths.continue, loader: async ({ request }) => redirect(nextPath(await freshUser(request))) },
    {
      lazy: page(() => import("./layouts/account-layout.tsx")),
      children: [
        { path: paths.profile, lazy: page(() => import("./pages/account-profile/profile-page.tsx")) },
        { path: paths.notifications, lazy: page(() => import("./pages/account-notifications/notifications-page.tsx")) },
        { path: paths.security, lazy: page(() => import("./pages/account-security/security-page.tsx")) },
        { path: paths.close, lazy: page(() => import("./pages/account-close/close-page.tsx")) },
      ],
    },
    {
      path: paths.open,
      middleware: [accountActive, accountSetup],
      lazy: page(() => import("./pages/open/open-page.tsx")),
    },
    { path: paths.suspended, lazy: page(() => import("./pages/account-suspended/suspended-page.tsx")) },
    managePages,
  ],
};

const openPages: RouteObject[] = [
  {
    path: `${paths.help}/:question?`,
    middleware: [validPage(({ question }) => question === undefined || /^[a-z0-9-]{1,64}$/.test(question))],
    lazy: page(() => import("./pages/help/help-page.tsx")),
  },
  { path: paths.developmentInbox, lazy: page(() => import("./pages/dev-inbox/inbox-page.tsx")) },
];

const testersPages: RouteObject[] = [{ path: paths.experiments, lazy: page(() => import("./pages/dev-experiments/experiments-page.tsx")) }];

const home = async ({ request }: { request: Request }) => {
  keepTemplateId(new URL(request.url).search);
  // An ended session leads here, and after signing in back to where it ended.
  const returnPath = new URL(request.url).searchParams.get("returnPath") ?? undefined;
  if (await likelyUser()) return redirect(paths.dashboard);
  return returnPath === undefined && hasFrontPage() ? null : redirect(loginPath(returnPath));
};

/** Links to a section of the settings still reach it. A request does not contain the part after the `#`, and only a page load leads here. */
const toSettings = ({ request }: { request: Request }) => {
  const hash = typeof location === "undefined" ? "" : location.hash;
  return redirect(paths.manage + new URL(request.url).search + hash);
};

/** Fetched only if the operator wants it, and a visitor comes. */
const FrontPage = lazy(() => loadPage(async () => ({ default: (await import("./pages/front/front-page.tsx")).FrontPage })));

function Front() {
  return (
    <Suspense fallback={<FirstPaint />}>
      <FrontPage />
    </Suspense>
  );
}

export const routes: RouteObject[] = [
  {
    Component: spoken(RootLayout),
    middleware: [analyticsGuard],
    ErrorBoundary: spoken(CrashPage),
    HydrateFallback: FirstPaint,
    children: [
      { index: true, loader: home, Component: spoken(Front) },
      ...leadingOn.map((path) => ({ path, loader: () => redirect(paths.home) })),
      { path: formerSettings, loader: toSettings },
      publicPages,
      {
        lazy: page(() => import("./layouts/journey-layout.tsx")),
        children: [{ ErrorBoundary: spoken(CrashOnCard), children: [journeyPages] }],
      },
      {
        lazy: page(() => import("./layouts/default-layout.tsx")),
        children: [{ ErrorBoundary: spoken(CrashWithin), children: [signedInPages, ...openPages, ...testersPages] }],
      },
      { Component: spoken(BlankLayout), children: [{ path: "*", handle: notFound, Component: spoken(NotFoundPage) }] },
    ],
  },
];
