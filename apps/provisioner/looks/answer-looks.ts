/**
 * Answers the API's questions about a workspace of this host: its output, its people, and what its owner added to it. PostgreSQL
 * notifications wake it, and sweeps find what they missed. domain/journeys/look-into-workspace/look-into.ts stores the questions.
 */
import { eq } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { answerLook, dropOldLooks, listOpenLooks, type Look } from "#domain/workspaces/observed/look-store.ts";
import { after, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createSlots } from "#platform/loops/slots.ts";
import { createWakeLoop, type WakeLoop } from "#platform/loops/wake-loop.ts";
import { within } from "#platform/loops/within.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";

export interface LooksOptions {
  db: Database;
  driver: Driver;
  engine: Engine;
  /** Wakes a workspace before its tool is called; absent where none sleeps. */
  wake?: ((workspaceId: string) => Promise<void>) | undefined;
  clock: Clock;
  log: Log;
  rounds?: Rounds | undefined;
}

const sweepEveryMs = 5 * secondMs;
/** The caller waits for 3 s; older questions have no reader. */
const forgottenAfterMs = 30 * secondMs;
/** A look is answered within milliseconds. A slower one continues without a slot, until the engine's own limit ends it. */
const slotsOf = { most: 16, patienceMs: 500 } as const;
const limitMs = 15 * secondMs;
/** Questions that no worker here can answer are listed as well until they expire. */
const mostListed = 1_000;
/** The end of a start, or of a crash, with the lines that led to it. */
const mostLogBytes = 64 * 1024;

/** Answers until stopped. Workspaces of other hosts are left to their workers. */
export function startLooks(options: LooksOptions): WakeLoop {
  const { db, clock, log } = options;
  const slots = createSlots(slotsOf);
  // By workspace and kind: one that hangs delays only its own callers.
  const underWay = new Map<string, Promise<void>>();
  const begin = (look: Look): void => {
    const key = `${look.workspaceId} ${look.kind}`;
    const answering = slots
      .run(() => within(limitMs, "a look", answer(options, look)))
      .catch((error: unknown) => {
        log.warn({ err: error, workspace: look.workspaceId, kind: look.kind }, "a look into a workspace failed");
        return false;
      })
      .then((isAnswered) => {
        underWay.delete(key);
        // It may have been requested again meanwhile.
        if (isAnswered) loop.wake();
      });
    underWay.set(key, answering);
  };
  const loop = createWakeLoop({
    async work() {
      await dropOldLooks(db, after(clock.now(), -forgottenAfterMs));
      (await listOpenLooks(db, mostListed, [...underWay.keys()])).forEach(begin);
    },
    followed: { by: options.rounds, name: "looks" },
    onError: (error) => log.warn({ err: error }, "looks into workspaces could not be answered"),
  });
  loop.start(sweepEveryMs);
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await Promise.all(underWay.values());
    },
  };
}

/** False if this host has no answer. */
async function answer({ db, driver, engine, clock, wake }: LooksOptions, look: Look): Promise<boolean> {
  const { workspaceId, kind } = look;
  const seen = await driver.observe(workspaceId);
  if (seen.state === "absent") return false;
  if (kind === "logs") {
    await answerLook(db, look, { text: await driver.logs(workspaceId, mostLogBytes) }, clock.now());
    return true;
  }
  await wake?.(workspaceId);
  const [workspace] = await db
    .select({ address: workspaces.address, gatewayOpen: workspaces.gatewayOpen })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  if (!workspace?.address || !workspace.gatewayOpen) return false;
  if (kind === "members" && engine.members)
    await answerLook(db, look, { members: await engine.members.list(workspace.address, workspaceId) }, clock.now());
  else if (kind === "community-nodes" && engine.communityNodes)
    await answerLook(db, look, await engine.communityNodes.list(workspace.address, workspaceId), clock.now());
  else return false;
  return true;
}
