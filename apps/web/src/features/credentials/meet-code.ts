/**
 * A one-time code in an address: the visitor who follows the link may not have requested it, and it may open a stranger's account. So
 * the account is named and a click is needed, unless the browser is signed in to that account (decision 0077).
 */
import { callApi } from "../../lib/api/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { destinationAfterLogin } from "../../lib/session/return-path.ts";
import { likelyUser } from "../../lib/session/session.ts";
import { signInByCode } from "./sign-in-by-code.ts";

/** The account that the visitor is asked about. */
export interface CodeOffer {
  code: string;
  accountName: string;
  /** The account that is signed in here, if it is a different one. */
  otherAccount: string | null;
}

/** Kept only in memory: the code is removed from the address and the history, and a reload forgets it. */
let offer: CodeOffer | null = null;

export const currentOffer = (): CodeOffer | null => offer;
export const endOffer = (): void => void (offer = null);

/** Where an address with this code leads: to its destination, or to the question. Throws if the code is not valid. */
export async function meetCode(code: string, search: string): Promise<string> {
  const [{ accountName }, user] = await Promise.all([callApi("getCodeHolder", { body: { code } }), likelyUser().catch(() => null)]);
  if (user?.username === accountName) {
    // A mailed link also confirms the address.
    if (!user.confirmed) await signInByCode(code);
    return destinationAfterLogin(search);
  }
  offer = { code, accountName, otherAccount: user?.username ?? null };
  return `${paths.continueAs}${withoutCode(search)}`;
}

/** The same query without the code. */
export function withoutCode(search: string): string {
  const items = new URLSearchParams(search);
  items.delete("code");
  return items.size > 0 ? `?${items}` : "";
}
