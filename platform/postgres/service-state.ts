/** Values of the service as a whole: a row of `service_state` for each, by its name. */
import { eq } from "drizzle-orm";
import { serviceState } from "#database/tables.ts";
import type { Connection, Database } from "../database.ts";

/** As it was written last; undefined: it never was. */
export async function readState(db: Connection, key: string): Promise<unknown> {
  const [row] = await db.select({ value: serviceState.value }).from(serviceState).where(eq(serviceState.key, key)).limit(1);
  return row?.value;
}

/** Whatever was written before. */
export async function writeState(db: Connection, key: string, value: unknown): Promise<void> {
  await db.insert(serviceState).values({ key, value }).onConflictDoUpdate({ target: serviceState.key, set: { value } });
}

/**
 * Changes a value in one transaction, which holds its row: two processes never overwrite what the other wrote. `work` gets the value, which
 * is `first` before it was ever written, and returns the next one with the result of the whole.
 */
export async function changeState<Value extends object, Result>(
  db: Database,
  { key, first }: { key: string; first: Value },
  work: (value: Value, tx: Connection) => Promise<{ next: Value; result: Result }>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.insert(serviceState).values({ key, value: first }).onConflictDoNothing();
    const [row] = await tx.select({ value: serviceState.value }).from(serviceState).where(eq(serviceState.key, key)).for("update");
    const { next, result } = await work(row!.value as Value, tx);
    await tx.update(serviceState).set({ value: next }).where(eq(serviceState.key, key));
    return result;
  });
}
