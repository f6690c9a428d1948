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
  manage: "/manage",
  /** The second address of the same page. */
  manageInstance: "/manage/instance",
  monitoring: "/manage/monitoring",
  logs: "/manage/logs",
  settings: "/manage/settings",
  versions: "/manage/versions",
  backups: "/manage/backups",
  billing: "/manage/billing",
  export: "/manage/export",
  members: "/manage/members",
  danger: "/manage/danger",
  /** From the workspace's sign-in page, through the panel, back in. */
  open: "/open",
  profile: "/account/profile",
  notifications: "/account/notifications",
  security: "/account/security",
  changePlan: "/account/change-plan",
  /** Back from the payment page: contract/billing/checkout-return.ts. */
  checkout: "/account/checkout",
  help: "/help",
  developmentInbox: "/dev/inbox",
  experiments: "/dev/experiments",
} as const;

/** The login page that leads back to `target` afterwards. */
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

/** Whether the panel has a page at this address, as its router reads it; the server answers 404 where it has none. `answers`: those of the help page. */
export function hasPage(pathname: string, answers: readonly string[]): boolean {
  const path = plainPath(pathname);
  const answer = path.startsWith(answerPath("")) ? path.slice(answerPath("").length) : undefined;
  const isInvoice = path.startsWith(invoicePath("")) && isInvoiceId(path.slice(invoicePath("").length));
  return [...Object.values(paths), ...leadingOn].includes(path as never) || isInvoice || (answer !== undefined && answers.includes(answer));
}

/** As the router reads an address: in any case, with or without slashes at its end. No pattern: it would try each of many slashes as the first. */
export function plainPath(pathname: string): string {
  let end = pathname.length;
  while (end > 1 && pathname[end - 1] === "/") end -= 1;
  return pathname.slice(0, end).toLowerCase();
}
