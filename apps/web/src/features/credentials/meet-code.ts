/**
 * A one-time code in an address: whoever follows the link did not necessarily ask for it, and it may open a stranger's account. So
 * the account is named and a press is needed, unless the browser is signed in to that very account (decision 0077).
 */
import { callApi } from "../../lib/api/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { destinationAfterLogin } from "../../lib/session/return-path.ts";
import { likelyUser } from "../../lib/session/session.ts";
import { signInByCode } from "./sign-in-by-code.ts";

/** What the person is asked. */
export interface CodeOffer {
  code: string;
  accountName: string;
  /** The account that is signed in here, where it is another. */
  otherAccount: string | null;
}

/** Kept here and nowhere else: the code leaves the address and the history, and a reload forgets it. */
let offer: CodeOffer | null = null;

export const currentOffer = (): CodeOffer | null => offer;
export const endOffer = (): void => void (offer = null);

/** Where an address with this code leads: on, or to the question. Throws where the code is no good. */
export async function meetCode(code: string, search: string): Promise<string> {
  const [{ accountName }, user] = await Promise.all([callApi("getCodeHolder", { body: { code } }), likelyUser().catch(() => null)]);
  if (user?.username === accountName) {
    // A link that came by mail also confirms the address.
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
