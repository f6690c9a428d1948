/** GET /_slipway/login: a link of the panel signs the workspace's owner in. */
import type { Response } from "../../../workspace-side/handler.mts";
import { backTo, sendDocument, sendPage } from "../../../workspace-side/page.mts";
import { readerLanguage, type Language } from "../../../workspace-side/reader-language.mts";
import { readClaims, type TokenRefusal, type TokenVerdict } from "../../../workspace-side/token-check.mts";
import { isLocalPath } from "../../../workspace-side/token-claims.mts";
import { findOwner, type Handler, type HookContext, type Internals } from "../internals.mts";
import { signInWords } from "./sign-in-words.mts";

interface LoginRoute {
  context: HookContext;
  internals: Internals;
  panelUrl: string;
  /** Of the account to which the workspace belongs. */
  accountName(): string;
  /** When this process began. */
  startedAtMs: number;
  check: (token: unknown) => TokenVerdict;
}

/** Signs the owner in and redirects them. The first real request uses the link up; previews and prefetches do not. */
export function createLoginHandler({ context, internals, panelUrl, accountName, startedAtMs, check }: LoginRoute): Handler {
  const refuse = (response: Response, language: Language, refusal: TokenRefusal, token: unknown) => {
    const words = signInWords[language];
    const path = refusal === "expired" && typeof token === "string" ? outlivedBy(token, startedAtMs) : null;
    if (path === null) return sendPage(response, 401, { language, words: words.refusals[refusal], panelUrl });
    // The panel makes another one, for the user who is signed in there.
    const continueAt = `${panelUrl}/open?${new URLSearchParams({ workspace: accountName(), path })}`;
    return sendDocument(response, 401, {
      language,
      heading: words.refusals.expired[0],
      sentences: [words.startedSince],
      button: { label: words.continue, href: continueAt },
      links: [backTo(panelUrl, language)],
      continueAt,
    });
  };
  return async (request, response) => {
    // Express answers HEAD with GET handlers, and browsers prefetch: neither is a click.
    const isOnlyLooking =
      request.method !== "GET" || /prefetch|prerender/.test(`${request.headers["sec-purpose"]} ${request.headers["purpose"]}`);
    if (isOnlyLooking) {
      response.status(503).set("Cache-Control", "no-store").send("");
      return;
    }
    const token = request.query["token"];
    const verdict = check(token);
    const language = readerLanguage(request.headers);
    if ("refusal" in verdict) return refuse(response, language, verdict.refusal, token);
    const owner = await findOwner(context);
    if (owner === undefined) return sendPage(response, 503, { language, words: signInWords[language].settingUp, panelUrl });
    // The panel has verified the owner, including the second factor.
    internals.auth.issueCookie(response, owner, true);
    const path = verdict.claims.landingPath ?? "/";
    response
      .set("Cache-Control", "no-store")
      .set("Referrer-Policy", "no-referrer")
      .redirect(302, isLocalPath(path) ? path : "/");
  };
}

/**
 * The target of a link made before this process began; null for a later one. A workspace that slept without a process is started by the
 * very link that opens it.
 */
function outlivedBy(token: string, startedAtMs: number): string | null {
  const { issuedAtMs, landingPath = "/" } = readClaims(token);
  if (issuedAtMs >= startedAtMs) return null;
  return isLocalPath(landingPath) ? landingPath : "/";
}
