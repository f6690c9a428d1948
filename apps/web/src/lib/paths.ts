/** Every address of the panel, named once. */
export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  verifyEmail: "/verify-email",
  confirmEmail: "/confirm-email",
  continueAs: "/login/continue",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  magicLink: "/magic-link",
  changeEmail: "/change-email",
  /** Redirects to the next step of the sign-up. */
  continue: "/account/continue",
  survey: "/account/survey",
  apps: "/account/apps",
  inviteTeammate: "/invite-teammate",
  setup: "/account/setup",
  launching: "/account/launching",
  dashboard: "/dashboard",
  /** The workspace's settings. */
  manage: "/manage",
  /** The second address of the same page. */
  manageInstance: "/manage/instance",
  monitoring: "/manage/monitoring",
  logs: "/manage/logs",
  versions: "/manage/versions",
  backups: "/manage/backups",
  billing: "/manage/billing",
  export: "/manage/export",
  members: "/manage/members",
  danger: "/manage/danger",
  /** The way from the workspace's sign-in page through the panel and back. */
  open: "/open",
  profile: "/account/profile",
  notifications: "/account/notifications",
  security: "/account/security",
  /** Closes the account; in place of the dashboard while it is closed. */
  close: "/account/close",
  /** In place of the dashboard while an operator keeps the account suspended. */
  suspended: "/account/suspended",
  changePlan: "/account/change-plan",
  /** Back from the payment page: contract/billing/checkout-return.ts. */
  checkout: "/account/checkout",
  help: "/help",
  developmentInbox: "/dev/inbox",
  experiments: "/dev/experiments",
} as const;

/** The login page with `target` as its return path. */
export function loginPath(target?: string): string {
  return target ? `${paths.login}?${new URLSearchParams({ returnPath: target })}` : paths.login;
}

/** One invoice, by its id. */
export const invoicePath = (id: string): string => `${paths.billing}/invoices/${id}`;

/** The help page, opened at one answer. */
export const answerPath = (id: string): string => `${paths.help}/${id}`;

export const isInvoiceId = (id: string | undefined): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id ?? "");

/** Addresses that only redirect. */
export const leadingOn = ["/app-selection", "/send-confirmation"] as const;

/** Where the settings were; redirects to them. */
export const formerSettings = "/manage/settings";

/**
 * Whether the panel has a page at this address, as its router matches it; the server answers 404 for others. `answers`: those of the help
 * page.
 */
export function hasPage(pathname: string, answers: readonly string[]): boolean {
  const path = plainPath(pathname);
  const answer = path.startsWith(answerPath("")) ? path.slice(answerPath("").length) : undefined;
  const isInvoice = path.startsWith(invoicePath("")) && isInvoiceId(path.slice(invoicePath("").length));
  return (
    [...Object.values(paths), ...leadingOn, formerSettings].includes(path as never) ||
    isInvoice ||
    (answer !== undefined && answers.includes(answer))
  );
}

/** The router ignores case and slashes at the end. Not a pattern: with many slashes, it would try each as the first. */
export function plainPath(pathname: string): string {
  let end = pathname.length;
  while (end > 1 && pathname[end - 1] === "/") end -= 1;
  return pathname.slice(0, end).toLowerCase();
}
