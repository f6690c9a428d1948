/** The delivery faults that a tester has switched on. */
import type { Connection } from "#platform/database.ts";
import { readState, writeState } from "#platform/postgres/service-state.ts";
import { z } from "zod";

export const webhookControls = z.object({
  /** How much later events arrive. */
  delaySeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(0),
  /** Each event arrives twice. */
  duplicate: z.boolean().default(false),
  /** Events due at the same time arrive newest first. */
  reorder: z.boolean().default(false),
  /** Events do not arrive until the tester sends them. */
  drop: z.boolean().default(false),
});
export type WebhookControls = z.infer<typeof webhookControls>;

const key = "sandbox webhooks";

/** The current controls; all off at first. */
export async function readControls(db: Connection): Promise<WebhookControls> {
  return webhookControls.parse((await readState(db, key)) ?? {});
}

export const saveControls = (db: Connection, controls: WebhookControls): Promise<void> => writeState(db, key, controls);
