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
  billing: "/manage/billing",
  export: "/manage/export",
  members: "/manage/members",
  /** From the workspace's sign-in page, through the panel, back in. */
  open: "/open",
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

/** The help page, opened at one answer. */
export const answerPath = (id: string): string => `${paths.help}/${id}`;

/** Addresses that only redirect. */
export const leadingOn = ["/app-selection", "/send-confirmation"] as const;

/** Whether the panel has a page at this address, as its router reads it; the server answers 404 where it has none. `answers`: those of the help page. */
export function hasPage(pathname: string, answers: readonly string[]): boolean {
  const path = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
  const answer = path.startsWith(answerPath("")) ? path.slice(answerPath("").length) : undefined;
  return [...Object.values(paths), ...leadingOn].includes(path as never) || (answer !== undefined && answers.includes(answer));
}
