/**
 * GET /signin: how to sign in again. The panel signed the owner in, who has no password here unless they set one; members have one. n8n's
 * own form, which knows only passwords, is one click away.
 */
import { sendDocument } from "../../../workspace-side/page.mts";
import { readerLanguage } from "../../../workspace-side/reader-language.mts";
import { isLocalPath } from "../../../workspace-side/token-claims.mts";
import type { Handler } from "../internals.mts";
import { signInWords } from "./sign-in-words.mts";

const signInPath = "/signin";
/** With this in the query, n8n's own form is shown. */
const ownForm = "method=password";

/** Pages for visitors who are not signed in, which make no sense after a sign-in. */
const doorPages = /^\/(signin|signout|signup|setup|forgot-password|change-password)\b/;

/** Where n8n's editor wants to go after a sign-in; it encodes the address twice. */
function landingOf(redirect: unknown): string {
  if (typeof redirect !== "string") return "/";
  try {
    const path = redirect.startsWith("/") ? redirect : decodeURIComponent(redirect);
    return isLocalPath(path) && !doorPages.test(path) ? path : "/";
  } catch {
    return "/";
  }
}

interface SignInPage {
  panelUrl: string;
  /** Of the account that the workspace belongs to: its host's first label. */
  accountName(): string;
}

/** The page, mounted in front of n8n's own routes. */
export function createSignInPage({ panelUrl, accountName }: SignInPage): Handler {
  return (request, response, next) => {
    const isPage = (request.method === "GET" || request.method === "HEAD") && request.path.replace(/(?<=.)\/+$/, "") === signInPath;
    if (!isPage) return next();
    const query = new URL(request.url ?? request.path, "http://workspace").searchParams;
    if (query.get("method") === "password") return next();
    const path = landingOf(query.get("redirect"));
    const back = path === "/" ? "" : `&redirect=${encodeURIComponent(encodeURIComponent(path))}`;
    const language = readerLanguage(request.headers);
    const words = signInWords[language];
    sendDocument(response, 200, {
      language,
      heading: words.signIn(accountName()),
      sentences: [words.whoSignsIn],
      button: { label: words.continue, href: `${panelUrl}/open?${new URLSearchParams({ workspace: accountName(), path })}` },
      links: [
        { label: words.withPassword, href: `${signInPath}?${ownForm}${back}` },
        { label: words.forgotPassword, href: "/forgot-password" },
      ],
    });
  };
}

/**
 * The beginning of the editor's script for its sign-in form: after an expired session, or a link within the editor, it redirects to the
 * page above instead, with the way back.
 */
export const leaveForSignInPage = `if(!new URLSearchParams(location.search).has("method")){const to=location.pathname+location.search;location.replace("${signInPath}"+(${doorPages.toString()}.test(to)?location.search:"?redirect="+encodeURIComponent(encodeURIComponent(to))))}\n`;
