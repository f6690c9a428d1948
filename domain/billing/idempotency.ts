/**
 * Calls that move money run once per key. A double click, or a second tab with the same key, gets the first call's
 * answer; a call whose process died halfway is continued by the next attempt. The provider gets a key derived from
 * ours, so continuing never charges again.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import { idempotencyKeys } from "#database/tables.ts";
import { AppError, type AppErrorDetails } from "#platform/app-error.ts";
import { after, hourMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { ProblemCode } from "#contract/api/problem.ts";

interface OnceCall {
  accountId: string;
  /** From the header, 1 to 64 characters. */
  key: string;
  /** Name of the call: a key belongs to one call. */
  call: string;
  /** The request; the same key with a different one is refused. */
  request: unknown;
}

/** Longer than a provider may take; measured by the database's clock, which is never moved. */
const leaseSeconds = 30;
const waitMs = 20 * secondMs;
/** Clients do not repeat a call after this. */
export const keyLivesMs = 48 * hourMs;

/** Errors that decide nothing: the same key may try again. */
const undecided: ReadonlySet<ProblemCode> = new Set(["payments_unavailable", "unavailable", "too_many_requests", "internal_error"]);

/**
 * Runs `run` with the key for the provider, or repeats the first run's answer, including refusals (AppError). Refuses
 * idempotency_key_reused, or `unavailable` if another process takes longer than 20 s. The answer must be JSON.
 */
export async function once<T>(
  { db, clock }: { db: Database; clock: Clock },
  call: OnceCall,
  run: (providerKey: string) => Promise<T>,
): Promise<T> {
  const requestHash = createHash("sha256")
    .update(JSON.stringify([call.call, call.request]))
    .digest("hex");
  const deadline = performance.now() + waitMs;
  for (;;) {
    const taken = await take(db, call, requestHash, clock.now());
    if (taken.kind === "answered") return answer<T>(taken.state, taken.response);
    if (taken.kind === "ours") return await runOurs(db, call, run);
    if (performance.now() > deadline) throw new AppError("unavailable", { internal: "another process is still at this key" });
    await delay(50);
  }
}

/** The key for the provider, which never contains the customer's own text. */
const providerKey = ({ accountId, key, call }: Pick<OnceCall, "accountId" | "key" | "call">): string =>
  createHash("sha256").update(`${accountId} ${call} ${key}`).digest("hex").slice(0, 48);

type Taken = { kind: "ours" } | { kind: "busy" } | { kind: "answered"; state: "done" | "refused"; response: unknown };

const lease = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`;
const one = ({ accountId, key }: OnceCall) => and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key));

async function take(db: Database, call: OnceCall, requestHash: string, now: Date): Promise<Taken> {
  const { accountId, key } = call;
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ accountId, key, call: call.call, requestHash, createdAt: now, leaseUntil: lease })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (inserted[0]) return { kind: "ours" };
  const found = (await db.select().from(idempotencyKeys).where(one(call)))[0];
  if (!found) return { kind: "busy" };
  if (found.requestHash !== requestHash) throw new AppError("idempotency_key_reused");
  if (found.state !== "running") return { kind: "answered", state: found.state, response: found.response };
  const takenOver = await db
    .update(idempotencyKeys)
    .set({ leaseUntil: lease })
    .where(and(one(call), eq(idempotencyKeys.state, "running"), lt(idempotencyKeys.leaseUntil, sql`clock_timestamp()`)))
    .returning({ key: idempotencyKeys.key });
  return takenOver[0] ? { kind: "ours" } : { kind: "busy" };
}

interface StoredRefusal {
  code: ProblemCode;
  details: Pick<AppErrorDetails, "detail" | "errors">;
}

function answer<T>(state: "done" | "refused", response: unknown): T {
  if (state === "done") return response as T;
  const { code, details } = response as StoredRefusal;
  throw new AppError(code, details);
}

async function runOurs<T>(db: Database, call: OnceCall, run: (providerKey: string) => Promise<T>): Promise<T> {
  const settle = (state: "done" | "refused", response: unknown) =>
    db
      .update(idempotencyKeys)
      .set({ state, response: response ?? null })
      .where(one(call));
  try {
    const result = await run(providerKey(call));
    await settle("done", result);
    return result;
  } catch (error) {
    if (error instanceof AppError && !undecided.has(error.code)) {
      const { detail, errors } = error.details;
      await settle("refused", {
        code: error.code,
        details: { ...(detail ? { detail } : {}), ...(errors ? { errors } : {}) },
      } satisfies StoredRefusal);
    } else {
      await db
        .update(idempotencyKeys)
        .set({ leaseUntil: sql`clock_timestamp()` })
        .where(one(call))
        .catch(() => undefined);
    }
    throw error;
  }
}

/** Deletes keys after 48 hours. */
export async function deleteOldKeys(db: Database, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, after(now, -keyLivesMs)));
}
