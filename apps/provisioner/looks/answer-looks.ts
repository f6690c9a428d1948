/**
 * Answers what the API asks about a workspace of this host: its output, and the people in it. Woken by PostgreSQL for speed,
 * sweeping for truth. domain/journeys/look-into-workspace/look-into.ts leaves the questions.
 */
import { eq } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { answerLook, dropOldLooks, listOpenLooks, type Look } from "#domain/workspaces/look-store.ts";
import { after, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { createWakeLoop, type WakeLoop } from "#platform/wake-loop.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";

export interface LooksOptions {
  db: Database;
  driver: Driver;
  engine: Engine;
  clock: Clock;
  log: Log;
}

const sweepEveryMs = 5 * secondMs;
/** The asker waits for 3 s; what is older than this nobody waits for. */
const forgottenAfterMs = 30 * secondMs;
const atOnce = 64;
/** The end of a start, or of a crash, with the lines that led to it. */
const mostLogBytes = 64 * 1024;

/** Answers until stopped. A workspace that is not on this host is left to the worker that has it. */
export function startLooks(options: LooksOptions): WakeLoop {
  const { db, clock, log } = options;
  // By workspace and kind: one that hangs holds up its own askers, and nobody else's.
  const underWay = new Map<string, { look: Look; isAskedAgain: boolean; answered: Promise<void> }>();
  const begin = (look: Look): void => {
    const key = `${look.workspaceId} ${look.kind}`;
    const before = underWay.get(key);
    if (before) before.isAskedAgain ||= before.look.askedAt!.getTime() !== look.askedAt!.getTime();
    if (before || underWay.size >= atOnce) return;
    const answered = answer(options, look)
      .catch((error: unknown) => log.warn({ err: error, workspace: look.workspaceId, kind: look.kind }, "a look into a workspace failed"))
      .finally(() => {
        const { isAskedAgain } = underWay.get(key)!;
        underWay.delete(key);
        if (isAskedAgain) loop.wake();
      });
    underWay.set(key, { look, isAskedAgain: false, answered });
  };
  const loop = createWakeLoop({
    async work() {
      await dropOldLooks(db, after(clock.now(), -forgottenAfterMs));
      (await listOpenLooks(db, 2 * atOnce)).forEach(begin);
    },
    onError: (error) => log.warn({ err: error }, "looks into workspaces could not be answered"),
  });
  loop.start(sweepEveryMs);
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await Promise.all(Array.from(underWay.values(), ({ answered }) => answered));
    },
  };
}

async function answer({ db, driver, engine, clock }: LooksOptions, look: Look): Promise<void> {
  const { workspaceId, kind } = look;
  const seen = await driver.observe(workspaceId);
  if (seen.state === "absent") return;
  if (kind === "logs") return answerLook(db, look, { text: await driver.logs(workspaceId, mostLogBytes) }, clock.now());
  const [workspace] = await db.select({ address: workspaces.address, gatewayOpen: workspaces.gatewayOpen }).from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!workspace?.address || !workspace.gatewayOpen || !engine.members) return;
  await answerLook(db, look, { members: await engine.members.list(workspace.address, workspaceId) }, clock.now());
}
