/** Every page, its layout, and who may see it. Each page is a separate chunk, fetched at its first visit. */
import { redirect, type RouteObject } from "react-router";
import { nextPath } from "./features/sign-up/journey/journey.ts";
import { keepTemplateId } from "./features/sign-up/template-redirect.ts";
import { BlankLayout } from "./layouts/blank-layout.tsx";
import { CrashPage, CrashWithin } from "./layouts/crash-page.tsx";
import { NotFoundPage } from "./layouts/not-found-page.tsx";
import { PublicLayout } from "./layouts/public-layout.tsx";
import { FirstPaint, RootLayout } from "./layouts/root-layout.tsx";
import { analyticsGuard } from "./lib/analytics/analytics-guard.ts";
import { loadPage } from "./lib/faults/chunk-reload.ts";
import {
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
import { leadingOn, loginPath, paths } from "./lib/paths.ts";
import { likelyUser, refreshUser } from "./lib/session/session.ts";
import { t } from "./words/frame.ts";

const notFound: PageHandle = { title: () => t("notFound.page") };

const publicPages: RouteObject = {
  Component: PublicLayout,
  children: [
    {
      middleware: [notAuth],
      children: [
        { path: paths.login, lazy: () => loadPage(() => import("./pages/login/login-page.tsx")) },
        { path: paths.forgotPassword, lazy: () => loadPage(() => import("./pages/forgot-password/forgot-password-page.tsx")) },
        { path: paths.magicLink, lazy: () => loadPage(() => import("./pages/magic-link/magic-link-page.tsx")) },
        { path: paths.register, lazy: () => loadPage(() => import("./pages/register/register-page.tsx")) },
      ],
    },
    { path: paths.continueAs, lazy: () => loadPage(() => import("./pages/continue-as/continue-as-page.tsx")) },
    { path: paths.resetPassword, lazy: () => loadPage(() => import("./pages/reset-password/reset-password-page.tsx")) },
    { path: paths.changeEmail, lazy: () => loadPage(() => import("./pages/change-email/change-email-page.tsx")) },
    {
      path: paths.verifyEmail,
      middleware: [auth],
      lazy: () => loadPage(() => import("./pages/verify-email/verify-email-page.tsx")),
    },
    { path: paths.confirmEmail, lazy: () => loadPage(() => import("./pages/confirm-email/confirm-email-page.tsx")) },
  ],
};

const managePage: RouteObject = { lazy: () => loadPage(() => import("./pages/manage/manage-page.tsx")) };

const managePages: RouteObject = {
  middleware: [accountSetup, templateLink],
  children: [
    {
      lazy: () => loadPage(() => import("./layouts/manage-layout.tsx")),
      children: [
        { path: paths.manage, ...managePage },
        { path: paths.manageInstance, ...managePage },
        {
          path: paths.billing,
          middleware: [accountHasBilling],
          lazy: () => loadPage(() => import("./pages/manage-billing/billing-page.tsx")),
        },
        { path: paths.export, lazy: () => loadPage(() => import("./pages/manage-export/export-page.tsx")) },
        { path: paths.members, lazy: () => loadPage(() => import("./pages/manage-members/members-page.tsx")) },
      ],
    },
    { path: paths.changePlan, lazy: () => loadPage(() => import("./pages/account-change-plan/change-plan-page.tsx")) },
    { path: paths.checkout, lazy: () => loadPage(() => import("./pages/account-checkout/checkout-page.tsx")) },
  ],
};

const signedInPages: RouteObject = {
  middleware: [auth],
  children: [
    {
      path: paths.dashboard,
      middleware: [templateLink],
      lazy: () => loadPage(() => import("./pages/dashboard/dashboard-page.tsx")),
    },
    { path: paths.inviteTeammate, lazy: () => loadPage(() => import("./pages/invite-teammate/invite-page.tsx")) },
    {
      path: paths.survey,
      middleware: [accountNotSetup],
      lazy: () => loadPage(() => import("./pages/account-survey/survey-page.tsx")),
    },
    {
      path: paths.apps,
      middleware: [accountNotSetup],
      lazy: () => loadPage(() => import("./pages/account-apps/apps-page.tsx")),
    },
    { path: paths.continue, loader: async () => redirect(nextPath(await refreshUser())) },
    {
      path: paths.setup,
      middleware: [accountNotSetup, confirmedEmail],
      lazy: () => loadPage(() => import("./pages/account-setup/setup-page.tsx")),
    },
    { path: paths.security, lazy: () => loadPage(() => import("./pages/account-security/security-page.tsx")) },
    {
      path: paths.launching,
      middleware: [accountSetup, templateLink],
      lazy: () => loadPage(() => import("./pages/account-launching/launching-page.tsx")),
    },
    {
      path: paths.open,
      middleware: [accountSetup],
      lazy: () => loadPage(() => import("./pages/open/open-page.tsx")),
    },
    managePages,
  ],
};

const openPages: RouteObject[] = [
  {
    path: `${paths.help}/:question?`,
    middleware: [validPage(({ question }) => question === undefined || /^[a-z0-9-]{1,64}$/.test(question))],
    lazy: () => loadPage(() => import("./pages/help/help-page.tsx")),
  },
  { path: paths.developmentInbox, lazy: () => loadPage(() => import("./pages/dev-inbox/inbox-page.tsx")) },
];

const testersPages: RouteObject[] = [
  { path: paths.experiments, lazy: () => loadPage(() => import("./pages/dev-experiments/experiments-page.tsx")) },
];

const home = async ({ request }: { request: Request }) => {
  keepTemplateId(new URL(request.url).search);
  // An ended session leads here, and after signing in back to where it ended.
  const returnPath = new URL(request.url).searchParams.get("returnPath") ?? undefined;
  return redirect((await likelyUser()) ? paths.dashboard : loginPath(returnPath));
};

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    middleware: [analyticsGuard],
    ErrorBoundary: CrashPage,
    HydrateFallback: FirstPaint,
    children: [
      { index: true, loader: home },
      ...leadingOn.map((path) => ({ path, loader: () => redirect(paths.home) })),
      publicPages,
      {
        lazy: () => loadPage(() => import("./layouts/default-layout.tsx")),
        children: [{ ErrorBoundary: CrashWithin, children: [signedInPages, ...openPages, ...testersPages] }],
      },
      { Component: BlankLayout, children: [{ path: "*", handle: notFound, Component: NotFoundPage }] },
    ],
  },
];
