/** Every page, its layout, and who may see it. Each page is a chunk of its own, fetched when it is first visited. */
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
import { t } from "./words/words-of.ts";

const titled = (title: PageHandle["title"]): PageHandle => ({ title });

const publicPages: RouteObject = {
  Component: PublicLayout,
  children: [
    {
      middleware: [notAuth],
      children: [
        { path: paths.login, handle: titled(() => t("login.page")), lazy: () => loadPage(() => import("./pages/login/login-page.tsx")) },
        {
          path: paths.forgotPassword,
          handle: titled(() => t("forgot.page")),
          lazy: () => loadPage(() => import("./pages/forgot-password/forgot-password-page.tsx")),
        },
        {
          path: paths.magicLink,
          handle: titled(() => t("magic.page")),
          lazy: () => loadPage(() => import("./pages/magic-link/magic-link-page.tsx")),
        },
        {
          path: paths.register,
          handle: titled(() => t("register.page")),
          lazy: () => loadPage(() => import("./pages/register/register-page.tsx")),
        },
      ],
    },
    {
      path: paths.continueAs,
      handle: titled(() => t("continueAs.page")),
      lazy: () => loadPage(() => import("./pages/continue-as/continue-as-page.tsx")),
    },
    {
      path: paths.resetPassword,
      handle: titled(() => t("reset.page")),
      lazy: () => loadPage(() => import("./pages/reset-password/reset-password-page.tsx")),
    },
    {
      path: paths.changeEmail,
      handle: titled(() => t("account.confirm.page")),
      lazy: () => loadPage(() => import("./pages/change-email/change-email-page.tsx")),
    },
    {
      path: paths.verifyEmail,
      middleware: [auth],
      handle: titled(() => t("verify.page")),
      lazy: () => loadPage(() => import("./pages/verify-email/verify-email-page.tsx")),
    },
    {
      path: paths.confirmEmail,
      handle: titled(() => t("confirm.page")),
      lazy: () => loadPage(() => import("./pages/confirm-email/confirm-email-page.tsx")),
    },
  ],
};

const managePage: RouteObject = {
  handle: titled(() => t("manage.page")),
  lazy: () => loadPage(() => import("./pages/manage/manage-page.tsx")),
};

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
          handle: titled(() => t("billing.page")),
          lazy: () => loadPage(() => import("./pages/manage-billing/billing-page.tsx")),
        },
        {
          path: paths.export,
          handle: titled(() => t("manageArea.nav.export")),
          lazy: () => loadPage(() => import("./pages/manage-export/export-page.tsx")),
        },
        {
          path: paths.members,
          handle: titled(() => t("manageArea.members.page")),
          lazy: () => loadPage(() => import("./pages/manage-members/members-page.tsx")),
        },
      ],
    },
    {
      path: paths.changePlan,
      handle: titled(() => t("plans.page")),
      lazy: () => loadPage(() => import("./pages/account-change-plan/change-plan-page.tsx")),
    },
    {
      path: paths.checkout,
      handle: titled(() => t("checkout.page")),
      lazy: () => loadPage(() => import("./pages/account-checkout/checkout-page.tsx")),
    },
  ],
};

const signedInPages: RouteObject = {
  middleware: [auth],
  children: [
    {
      path: paths.dashboard,
      middleware: [templateLink],
      handle: titled(() => t("dashboard.page")),
      lazy: () => loadPage(() => import("./pages/dashboard/dashboard-page.tsx")),
    },
    {
      path: paths.inviteTeammate,
      handle: titled(() => t("invitations.page")),
      lazy: () => loadPage(() => import("./pages/invite-teammate/invite-page.tsx")),
    },
    {
      path: paths.survey,
      middleware: [accountNotSetup],
      handle: titled(() => t("survey.page")),
      lazy: () => loadPage(() => import("./pages/account-survey/survey-page.tsx")),
    },
    {
      path: paths.apps,
      middleware: [accountNotSetup],
      handle: titled(() => t("apps.page")),
      lazy: () => loadPage(() => import("./pages/account-apps/apps-page.tsx")),
    },
    { path: paths.continue, loader: async () => redirect(nextPath(await refreshUser())) },
    {
      path: paths.setup,
      middleware: [accountNotSetup, confirmedEmail],
      handle: titled(() => t("setup.page")),
      lazy: () => loadPage(() => import("./pages/account-setup/setup-page.tsx")),
    },
    {
      path: paths.security,
      handle: titled(() => t("account.security")),
      lazy: () => loadPage(() => import("./pages/account-security/security-page.tsx")),
    },
    {
      path: paths.launching,
      middleware: [accountSetup, templateLink],
      handle: titled(() => t("launching.page")),
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
    handle: titled(() => t("help.page")),
    lazy: () => loadPage(() => import("./pages/help/help-page.tsx")),
  },
  {
    path: paths.developmentInbox,
    handle: titled(() => t("inbox.page")),
    lazy: () => loadPage(() => import("./pages/dev-inbox/inbox-page.tsx")),
  },
];

const testersPages: RouteObject[] = [
  {
    path: paths.experiments,
    handle: titled(() => t("experiments.page")),
    lazy: () => loadPage(() => import("./pages/dev-experiments/experiments-page.tsx")),
  },
];

const home = async ({ request }: { request: Request }) => {
  keepTemplateId(new URL(request.url).search);
  // An ended session goes home (SPEC §2), and from there back to where it ended.
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
      { Component: BlankLayout, children: [{ path: "*", handle: titled(() => t("notFound.page")), Component: NotFoundPage }] },
    ],
  },
];
