/** Every address of the panel, named once. */
export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  verifyEmail: "/verify-email",
  confirmEmail: "/confirm-email",
  setup: "/account/setup",
  launching: "/account/launching",
  dashboard: "/dashboard",
  help: "/help",
  developmentInbox: "/dev/inbox",
} as const;

/** The login page that leads back to `target` afterwards. */
export function loginPath(target?: string): string {
  return target ? `${paths.login}?${new URLSearchParams({ returnPath: target })}` : paths.login;
}
