/** Who asked, for the audit log. */
import type { Actor } from "#domain/billing/billing.ts";
import type { CurrentUser } from "./current-user-query.ts";

export const actorOf = (signedIn: CurrentUser, address: string): Actor => ({ userId: signedIn.userId, address });
