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
import { hourMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { timeLimits } from "#platform/time-limits.ts";
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

/** Smaller for tests. */
export interface KeyTimes {
  leaseMs: number;
  renewMs: number;
  waitMs: number;
}

const usualTimes: KeyTimes = { leaseMs: timeLimits.keyLeaseMs, renewMs: timeLimits.keyRenewMs, waitMs: timeLimits.keyWaitMs };
/** A call that is still in progress is looked at again after this. */
const laterSeconds = 5;
/** Clients do not repeat a call after this. */
export const keyLivesMs = 48 * hourMs;

/** Errors that decide nothing: the same key may try again. */
const undecided: ReadonlySet<ProblemCode> = new Set([
  "payments_unavailable",
  "still_in_progress",
  "unavailable",
  "too_many_requests",
  "internal_error",
  // The panel asks for it, and repeats the call with the same key.
  "password_needed",
]);

/** Throws AppError still_in_progress if another attempt has taken the key over; inside a transaction nobody can until it ends. */
export type StillOurs = (tx: Connection) => Promise<void>;

/**
 * Runs `run` with the key for the provider, or repeats the first run's answer, including refusals (AppError). Refuses
 * idempotency_key_reused, or still_in_progress if the first run takes longer than 20 s. The answer must be JSON. The key stays leased for
 * as long as `run` works, even after its caller was answered; if its process stalls and another takes the key over, `stillOurs` stops it.
 */
export async function once<T>(
  { db, clock, log, keyTimes = usualTimes }: { db: Database; clock: Clock; log?: Log; keyTimes?: KeyTimes },
  call: OnceCall,
  run: (providerKey: string, stillOurs: StillOurs) => Promise<T>,
): Promise<T> {
  const owner = newId();
  const requestHash = createHash("sha256")
    .update(JSON.stringify([call.call, call.request]))
    .digest("hex");
  const deadline = performance.now() + keyTimes.waitMs;
  for (;;) {
    const taken = await take(db, call, { owner, requestHash, leaseMs: keyTimes.leaseMs }, clock.now());
    if (taken.kind === "answered") return answer<T>(taken.state, taken.response);
    if (taken.kind === "ours") return await runOurs(db, call, owner, keyTimes, run, log);
    if (performance.now() > deadline)
      throw new AppError("still_in_progress", { internal: "another attempt is still at this key", retryAfterSeconds: laterSeconds });
    await delay(50);
  }
}

/** The key for the provider, which never contains the customer's own text. */
const providerKey = ({ accountId, key, call }: Pick<OnceCall, "accountId" | "key" | "call">): string =>
  createHash("sha256").update(`${accountId} ${call} ${key}`).digest("hex").slice(0, 48);

type Taken = { kind: "ours" } | { kind: "busy" } | { kind: "answered"; state: "done" | "refused"; response: unknown };

/** By the database's clock, which is never moved. */
const lease = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / secondMs})`;
const ours = (call: OnceCall, owner: string) => and(one(call), eq(idempotencyKeys.state, "running"), eq(idempotencyKeys.owner, owner));
const one = ({ accountId, key }: OnceCall) => and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key));

interface Taking {
  owner: string;
  requestHash: string;
  leaseMs: number;
}

async function take(db: Database, call: OnceCall, { owner, requestHash, leaseMs }: Taking, now: Date): Promise<Taken> {
  const { accountId, key } = call;
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ accountId, key, call: call.call, requestHash, createdAt: now, leaseUntil: lease(leaseMs), owner })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (inserted[0]) return { kind: "ours" };
  const found = (await db.select().from(idempotencyKeys).where(one(call)))[0];
  if (!found) return { kind: "busy" };
  if (found.requestHash !== requestHash) throw new AppError("idempotency_key_reused");
  if (found.state !== "running") return { kind: "answered", state: found.state, response: found.response };
  const takenOver = await db
    .update(idempotencyKeys)
    .set({ leaseUntil: lease(leaseMs), owner })
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

async function runOurs<T>(
  db: Database,
  call: OnceCall,
  owner: string,
  { leaseMs, renewMs }: KeyTimes,
  run: (providerKey: string, stillOurs: StillOurs) => Promise<T>,
  log?: Log,
): Promise<T> {
  const settle = async (state: "done" | "refused", response: unknown): Promise<void> => {
    const settled = await db
      .update(idempotencyKeys)
      .set({ state, response: response ?? null })
      .where(ours(call, owner))
      .returning({ key: idempotencyKeys.key });
    if (settled.length === 0)
      log?.warn({ accountId: call.accountId, call: call.call, state }, "another attempt has taken this call over and answers it");
  };
  const renew = () =>
    void db
      .update(idempotencyKeys)
      .set({ leaseUntil: lease(leaseMs) })
      .where(ours(call, owner))
      .catch((err: unknown) => log?.warn({ err, accountId: call.accountId }, "the lease of a call could not be renewed"));
  const renewing = setInterval(renew, renewMs);
  const stillOurs: StillOurs = async (tx) => {
    const held = await tx.select({ key: idempotencyKeys.key }).from(idempotencyKeys).where(ours(call, owner)).for("no key update");
    if (held.length === 0)
      throw new AppError("still_in_progress", { internal: "another attempt took this key over", retryAfterSeconds: laterSeconds });
  };
  try {
    const result = await run(providerKey(call), stillOurs);
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
        .where(ours(call, owner))
        .catch(() => undefined);
    }
    throw error;
  } finally {
    clearInterval(renewing);
  }
}
