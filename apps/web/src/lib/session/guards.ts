/** Who may see a page, as route middleware: a guard lets the navigation continue or redirects it. */
import { redirect, type MiddlewareFunction } from "react-router";
import { keepTemplateId, templateIdIn } from "../../features/sign-up/template-redirect.ts";
import { loadPage } from "../faults/load-page.ts";
import { loginPath, paths } from "../paths.ts";
import { destinationAfterLogin } from "./return-path.ts";
import { currentUser, knownUser, likelyUser } from "./session.ts";

type Guard = MiddlewareFunction;

/** Only for signed-in users; others go to the login page and come back afterwards. */
export const auth: Guard = async ({ request }) => {
  if (await currentUser(request)) return;
  const url = new URL(request.url);
  throw redirect(loginPath(url.pathname + url.search));
};

/**
 * Only for visitors; signed-in users go to the dashboard or to a safe return path. A one-time code is left to the page, because it may open
 * another account.
 */
export const notAuth: Guard = async ({ request }) => {
  const { search } = new URL(request.url);
  if (!new URLSearchParams(search).get("code") && (await likelyUser())) throw redirect(destinationAfterLogin(search));
};

/** Only for accounts that are still to be set up. */
export const accountNotSetup: Guard = () => {
  if (knownUser()?.account.isSetup) throw redirect(paths.dashboard);
};

/** Only for accounts that are set up; others go to their step of the sign-up. */
export const accountSetup: Guard = () => {
  if (!knownUser()?.account.isSetup) throw redirect(paths.register);
};

/** Not for closed or suspended accounts, which can start, invite and buy nothing: they are told why. */
export const accountActive: Guard = () => {
  const account = knownUser()?.account;
  if (account?.closing ?? account?.suspension) throw redirect(account?.closing ? paths.close : paths.suspended);
};

/** Only for accounts that pay, or did; a trial has no billing yet. */
export const accountHasBilling: Guard = () => {
  if (!knownUser()?.account.billing) throw redirect(paths.manage);
};

/** Lets only addresses with valid parts pass; any other address is not a page. */
export const validPage =
  (isValid: (params: Readonly<Record<string, string | undefined>>) => boolean): Guard =>
  ({ params }) => {
    if (!isValid(params)) throw new Response(null, { status: 404, statusText: "Not Found" });
  };

/** Setting up needs a confirmed address. */
export const confirmedEmail: Guard = () => {
  if (!knownUser()?.confirmed) throw redirect(paths.verifyEmail);
};

/**
 * With `templateId` in the address (the first, if several), sends an online workspace's owner to that template, signed in; otherwise it is
 * stored for later.
 */
export const templateLink: Guard = async ({ request }) => {
  const { search } = new URL(request.url);
  const templateId = templateIdIn(new URLSearchParams(search));
  if (!templateId) return;
  const { openTemplate } = await loadPage(() => import("../../features/sign-up/open-template.ts"));
  const url = await openTemplate(templateId);
  if (!url) return void keepTemplateId(search);
  throw redirect(url);
};
