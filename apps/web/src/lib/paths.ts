/** Every address of the panel, named once. */
export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  verifyEmail: "/verify-email",
  confirmEmail: "/confirm-email",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  magicLink: "/magic-link",
  changeEmail: "/change-email",
  /** Wherever the way to the workspace goes on. */
  continue: "/account/continue",
  survey: "/account/survey",
  apps: "/account/apps",
  inviteTeammate: "/invite-teammate",
  setup: "/account/setup",
  launching: "/account/launching",
  dashboard: "/dashboard",
  help: "/help",
  developmentInbox: "/dev/inbox",
  experiments: "/dev/experiments",
} as const;

/** The login page that leads back to `target` afterwards. */
export function loginPath(target?: string): string {
  return target ? `${paths.login}?${new URLSearchParams({ returnPath: target })}` : paths.login;
}
