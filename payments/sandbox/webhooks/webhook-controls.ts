/** The delivery faults that a tester has switched on. */
import { serviceState } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { eq } from "drizzle-orm";
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
  const [row] = await db.select({ value: serviceState.value }).from(serviceState).where(eq(serviceState.key, key)).limit(1);
  return webhookControls.parse(row?.value ?? {});
}

export async function saveControls(db: Connection, controls: WebhookControls): Promise<void> {
  await db
    .insert(serviceState)
    .values({ key, value: controls })
    .onConflictDoUpdate({ target: serviceState.key, set: { value: controls } });
}
