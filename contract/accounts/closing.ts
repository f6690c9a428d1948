/** Closing an account, and reopening it until its day. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";
import { defineRoute } from "../api/route.ts";

const confirmation: FieldCode = "account_name.confirmation";

/**
 * What stands in the way. `checkout`: a payment page is open, or whether it was paid is not read yet. `suspension`: only an operator closes a suspended account. The others name
 * themselves; `refund` waits for an operator.
 */
export const closingBlockers = ["suspension", "subscription", "checkout", "invoice", "dispute", "refund"] as const;
export type ClosingBlocker = (typeof closingBlockers)[number];

export const getClosing = defineRoute({
  method: "GET",
  path: "/account/closing",
  tag: "Account",
  summary: "What stands in the way of closing the account, and for how long it could be reopened",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      blockers: z.array(
        z.object({
          kind: z.enum(closingBlockers),
          until: z.iso.datetime().nullable().meta({ description: "when it ends without anybody doing anything; null: it does not" }),
        }),
      ),
      days: z.number().int().meta({ description: "days for which a closed account can be reopened" }),
    }),
  },
  problems: [],
});

export const closeAccount = defineRoute({
  method: "POST",
  path: "/account/closing",
  tag: "Account",
  summary: "Close the account; confirmed by its name and a recently entered password. It is erased once it can't be reopened any more",
  auth: "session",
  body: z.object({ accountName: z.string(confirmation).max(100, confirmation) }),
  success: { status: 204, body: null },
  problems: ["account_not_closable", "password_needed"],
});

export const reopenAccount = defineRoute({
  method: "DELETE",
  path: "/account/closing",
  tag: "Account",
  summary:
    "Reopen the closed account, whoever closed it, until its day and unless it is suspended or being erased; a workspace that was running comes back with its last backup, if its plan has not ended",
  auth: "session",
  success: { status: 204, body: null },
  problems: ["account_closed"],
});
