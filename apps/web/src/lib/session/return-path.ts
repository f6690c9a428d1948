/** Where to go after signing in. The path is untrusted input: it must never lead off the panel. */
import { paths } from "../paths.ts";

/** Items meant for the login page, which must not be passed on. */
const consumedItems = ["code", "returnPath"];

/** A local path that starts with one slash and has no dot and no double slash. */
export function isSafeReturnPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("//") || path.includes(".")) return false;
  // Browsers read "\" as "/", and drop tabs and line ends from addresses: both would make "//host" again.
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  return !/[\\\u0000-\u001f\u007f]/.test(path);
}

/** The address after signing in: the return path if it is safe, otherwise the dashboard, with the other query items kept. */
export function destinationAfterLogin(search: string): string {
  const items = new URLSearchParams(search);
  const wanted = items.get("returnPath");
  const target = wanted !== null && isSafeReturnPath(wanted) ? wanted : paths.dashboard;
  for (const name of consumedItems) items.delete(name);
  const rest = items.toString();
  if (rest === "") return target;
  const [beforeHash, hash] = splitOnce(target, "#");
  return `${beforeHash}${beforeHash.includes("?") ? "&" : "?"}${rest}${hash}`;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}
