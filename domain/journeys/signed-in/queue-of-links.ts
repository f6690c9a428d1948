/** Finds whose mailed link a call shows: it neither waits among strangers nor is counted with them (decision 0198). */
import { peekLink } from "#domain/accounts/links/link-token-store.ts";
import type { Services } from "../services.ts";

/** The holder of a link that works now, else null. Only for counting calls and for their order: it may be used up meanwhile. */
export async function linkHolder(
  { db, clock }: Pick<Services, "db" | "clock">,
  token: string,
  purpose: Parameters<typeof peekLink>[2],
): Promise<string | null> {
  const link = await peekLink(db, token, purpose, clock.now());
  return link && `link of ${link.userId}`;
}
