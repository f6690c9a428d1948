/**
 * Method and path of each call the panel makes; those that the first pages can do without are in ./late-calls.ts. The
 * contract is imported as types only: every entry is checked against it, and the sign-in page does not carry its schemas.
 */
import type { routes } from "#contract/routes.ts";

export type Routes = typeof routes;

export type Call<Name extends keyof Routes> = Pick<Routes[Name], "method" | "path">;

export const calls = {
  register: { method: "POST", path: "/auth/register" },
  getChallenge: { method: "GET", path: "/auth/challenge" },
  checkAccountName: { method: "GET", path: "/auth/account-name/:name" },
  logIn: { method: "POST", path: "/auth/login" },
  logOut: { method: "GET", path: "/auth/logout" },
  logInWithCode: { method: "POST", path: "/auth/login/code" },
  requestMagicLink: { method: "POST", path: "/user/magic-link" },
  forgotPassword: { method: "POST", path: "/auth/forgot-password" },
  resetPassword: { method: "POST", path: "/auth/reset-password" },
  me: { method: "GET", path: "/auth/me" },
  confirmEmail: { method: "POST", path: "/auth/confirm-email" },
  resendConfirmation: { method: "POST", path: "/auth/resend-confirmation" },
  nodeIcon: { method: "GET", path: "/node-catalogue/icon" },
  skipOnboardingStep: { method: "POST", path: "/account/onboarding/skip" },
  setUpAccount: { method: "POST", path: "/account/setup" },
  getInstance: { method: "GET", path: "/instance" },
  getInstanceUrl: { method: "GET", path: "/instance/url" },
  getWorkspaceUrl: { method: "GET", path: "/workspace/:username" },
  restartInstance: { method: "PUT", path: "/instance/restart" },
  instanceEvents: { method: "GET", path: "/instance/events" },
  getInstanceJournal: { method: "GET", path: "/instance/journal" },
  frontEndConfig: { method: "GET", path: "/fe/config" },
  developmentInbox: { method: "GET", path: "/dev/inbox" },
} as const satisfies { [Name in keyof Routes]?: Call<Name> };

export type EarlyCallName = keyof typeof calls & keyof Routes;
