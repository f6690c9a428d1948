/**
 * Method and path of the calls that the sign-in page makes, and of those whose address is needed immediately; all others are in
 * ./panel-calls.ts. The contract is imported as types only: every entry is checked against it, and the sign-in page does
 * not carry its schemas.
 */
import type { routes } from "#contract/routes.ts";

export type Routes = typeof routes;

export type Call<Name extends keyof Routes> = Pick<Routes[Name], "method" | "path">;

export const calls = {
  logIn: { method: "POST", path: "/auth/login" },
  logOut: { method: "GET", path: "/auth/logout" },
  logInWithCode: { method: "POST", path: "/auth/login/code" },
  me: { method: "GET", path: "/auth/me" },
  nodeIcon: { method: "GET", path: "/node-catalogue/icon" },
  getInstance: { method: "GET", path: "/instance" },
  instanceEvents: { method: "GET", path: "/instance/events" },
  instanceOutput: { method: "GET", path: "/instance/logs/events" },
  downloadInstanceLogs: { method: "GET", path: "/instance/logs/download" },
  frontEndConfig: { method: "GET", path: "/fe/config" },
} as const satisfies { [Name in keyof Routes]?: Call<Name> };

export type SignInCallName = keyof typeof calls & keyof Routes;
