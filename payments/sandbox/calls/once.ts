/** Runs calls once per key, in the same transaction as their effects. */
import { createHash } from "node:crypto";
import { sandboxCalls } from "#database/tables.ts";
import { PaymentActionRequired, PaymentDeclined, ProviderRefusal } from "../../payment-provider.ts";
import type { Connection, Database } from "#platform/database.ts";
import { eq } from "drizzle-orm";

/** The outcome of a call: a value, or a bank's refusal, which is also remembered under the key. */
export type Outcome<Value> = { value: Value } | { declined: string } | { confirm: { message: string; url: string } };

/**
 * Runs `act` unless the same call with the same key has run before; then returns the earlier outcome. Of two concurrent calls, one
 * waits for the other. Refuses a key that was used for another request. If `act` throws, everything is undone, including the key.
 */
export async function once<Value>(
  db: Database,
  call: string,
  key: string,
  request: unknown,
  now: Date,
  act: (tx: Connection) => Promise<Outcome<Value>>,
): Promise<Value> {
  const id = `${call} ${key}`;
  const fingerprint = createHash("sha256").update(JSON.stringify(request)).digest("hex");
  const outcome = await db.transaction(async (tx) => {
    const taken = await tx
      .insert(sandboxCalls)
      .values({ id, fingerprint, at: now })
      .onConflictDoNothing()
      .returning({ id: sandboxCalls.id });
    if (taken.length === 0) return earlierOutcome<Value>(tx, id, fingerprint);
    const result = await act(tx);
    await tx.update(sandboxCalls).set({ outcome: result }).where(eq(sandboxCalls.id, id));
    return result;
  });
  if ("declined" in outcome) throw new PaymentDeclined(outcome.declined);
  if ("confirm" in outcome) throw new PaymentActionRequired(outcome.confirm.message, outcome.confirm.url);
  return outcome.value;
}

async function earlierOutcome<Value>(tx: Connection, id: string, fingerprint: string): Promise<Outcome<Value>> {
  const [earlier] = await tx.select().from(sandboxCalls).where(eq(sandboxCalls.id, id)).limit(1);
  if (earlier?.fingerprint !== fingerprint) throw new ProviderRefusal("This key was used for another request.");
  return earlier.outcome as Outcome<Value>;
}
