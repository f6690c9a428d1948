/**
 * Counts the calls of workspaces' webhooks, how they were answered and how fast, for their owners. Kept in memory as one tally for each
 * workspace called since the last save, whatever the paths, and added to the database periodically.
 */
import { addCalls, latencyClass, noCalls, type WebhookCalls } from "#domain/workspaces/webhooks/webhook-calls.ts";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";

/** How one call ended. */
interface WebhookAnswer {
  /** The status of the workspace's own answer; null: the call was refused here, broke off, or had no answer when its caller left. */
  status: number | null;
  /** From the request's head to the answer's head. */
  ms: number;
  /** Whether it was held until the workspace was awake or had started. */
  hasWaited: boolean;
}

export interface WebhookCounts {
  /** Whether a request with this method and URL calls a webhook; a browser's CORS preflight does not. */
  isCall(method: string, url: string): boolean;
  note(workspaceId: string, answer: WebhookAnswer): void;
  /** Saves the remaining counts and stops. */
  stop(): Promise<void>;
}

interface WebhookCountsOptions {
  /** Matches path and query. */
  path: RegExp;
  /** Adds the calls counted since the last time. */
  add(seen: ReadonlyMap<string, WebhookCalls>): Promise<void>;
  log: Log;
  saveEveryMs?: number;
  rounds?: Rounds | undefined;
}

/** A killed gateway loses at most this much. A call is counted in the minute in which it is saved. */
const saveEveryMs = 20 * secondMs;
/** Workspaces per statement. */
const mostAtOnce = 1000;

/** Calls answered in this way did nothing: the workspace's plan or its own limit refused them (engines/workspace-side/refused-call.mts). */
const isRefusal = (status: number): boolean => status === 402 || status === 429;

export function startWebhookCounts({ path, add, log, rounds, saveEveryMs: everyMs = saveEveryMs }: WebhookCountsOptions): WebhookCounts {
  let seen = new Map<string, WebhookCalls>();
  let isFailing = false;

  const tallyOf = (workspaceId: string): WebhookCalls => {
    const known = seen.get(workspaceId);
    if (known) return known;
    const tally = noCalls();
    seen.set(workspaceId, tally);
    return tally;
  };

  const saveAll = async (): Promise<void> => {
    const all = [...seen];
    seen = new Map();
    for (let from = 0; from < all.length; from += mostAtOnce) {
      try {
        await add(new Map(all.slice(from, from + mostAtOnce)));
      } catch (error) {
        // Added to newer counts: however long the database is unreachable, there is one tally for each workspace.
        for (const [id, calls] of all.slice(from)) addCalls(tallyOf(id), calls);
        throw error;
      }
    }
    isFailing = false;
  };
  const onError = (err: unknown): void => {
    if (!isFailing) log.warn({ err }, "webhook calls could not be saved; saving will be retried");
    isFailing = true;
  };
  const loop = createWakeLoop({ work: saveAll, onError, followed: { by: rounds, name: "gateway webhooks" } });
  loop.start(everyMs);

  return {
    isCall: (method, url) => path.test(url) && method !== "OPTIONS",
    note(workspaceId, { status, ms, hasWaited }) {
      const tally = tallyOf(workspaceId);
      tally.calls += 1;
      if (hasWaited) tally.waited += 1;
      if (status === null || status >= 500 || isRefusal(status)) tally.failed += 1;
      else if (status >= 400) tally.clientErrors += 1;
      if (status !== null && !hasWaited) tally.latency[latencyClass(ms)]! += 1;
    },
    async stop() {
      await loop.stop();
      await saveAll().catch(onError);
    },
  };
}
