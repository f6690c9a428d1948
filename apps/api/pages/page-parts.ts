/**
 * The files that a page needs, for the `Link` header of the response with the page. The browser then fetches them together with the
 * JavaScript, and requests the signed-in user, instead of doing both only once the JavaScript runs.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { answerPath, invoicePath, paths, plainPath } from "#apps/web/src/lib/paths.ts";

/** Written by the build: the files of each page's address. */
export const pagePartsFile = "page-parts.json";

/** Addresses that redirect a signed-in user to the dashboard. */
const onlyForVisitors: readonly string[] = [paths.home, paths.login, paths.register, paths.forgotPassword, paths.magicLink];
/** Addresses shown to visitors as well; all others redirect visitors to the sign-in page. */
const openToAll: readonly string[] = [
  paths.continueAs,
  paths.resetPassword,
  paths.changeEmail,
  paths.confirmEmail,
  paths.help,
  paths.developmentInbox,
  paths.experiments,
];
/** The panel's call for the signed-in user. Every page begins with it, except those that make it later or never. */
const whoIsIt = (apiBase: string): string => `<${apiBase}/auth/me>;rel=preload;as=fetch;crossorigin=use-credentials`;
/**
 * A browser keeps the preloaded answer until the page asks: on these pages it could be older than a change, or than another user's sign-in.
 */
const asksLate: readonly string[] = [paths.resetPassword, paths.confirmEmail, paths.changeEmail];

interface PageParts {
  /** The header's value for an address; undefined if no files are known for it. `isSignedIn`: judging by the browser's cookies. */
  linkOf(pathname: string, isSignedIn: boolean): string | undefined;
}

/**
 * If the header has room, after the call: the most important files come first; those left out are fetched by the modules that import them.
 */
function linkTo(files: readonly string[], call: string, mostBytes: number): string {
  let link = "";
  for (const name of files) {
    const longer = `${link}${link && ", "}</${name}>;rel=modulepreload;fetchpriority=low`;
    if (longer.length + call.length + 2 > mostBytes) break;
    link = longer;
  }
  return link;
}

/** Reads what the build wrote into `folder`. No header's value is longer than `mostBytes`. */
export async function readPageParts(
  folder: string,
  { hasFrontPage, mostBytes, apiBase = "/api" }: { hasFrontPage: boolean; mostBytes: number; apiBase?: string | undefined },
): Promise<PageParts> {
  const file = join(folder, pagePartsFile);
  const parts = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Record<string, string[]>) : {};
  const call = whoIsIt(apiBase);
  const links = new Map(Object.entries(parts).map(([path, files]) => [path, linkTo(files, call, mostBytes)]));
  const known: readonly string[] = Object.values(paths);
  const shownAt = (path: string, isSignedIn: boolean): string => {
    if (isSignedIn) return onlyForVisitors.includes(path) ? paths.dashboard : path;
    if (path === paths.home) return hasFrontPage ? path : paths.login;
    return onlyForVisitors.includes(path) || openToAll.includes(path) ? path : paths.login;
  };
  return {
    linkOf(pathname, isSignedIn) {
      const plain = plainPath(pathname);
      // Each answer and each invoice has its own address.
      const path = [answerPath(""), invoicePath("")].find((start) => plain.startsWith(start))?.slice(0, -1) ?? plain;
      if (path === plain && !known.includes(path)) return undefined;
      const asks = isSignedIn && !asksLate.includes(path) ? [call] : [];
      return [...asks, links.get(shownAt(path, isSignedIn)) || []].flat().join(", ") || undefined;
    },
  };
}
