/**
 * Answers the API's questions about a workspace, each in one worker: its output, its people, and what its owner added to it. PostgreSQL
 * notifications wake it, and sweeps find what they missed. domain/journeys/look-into-workspace/look-into.ts stores the questions.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { eq } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { answerLook, claimLooks, dropOldLooks, leaveFollowed, type Look } from "#domain/workspaces/observed/look-store.ts";
import { after, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createSlots, type Slots } from "#platform/loops/slots.ts";
import { createWakeLoop, type WakeLoop } from "#platform/loops/wake-loop.ts";
import { within } from "#platform/loops/within.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";
import { createOutputFollowing, followedForMs, storableOutput, type OutputFollowing } from "./follow-output.ts";

interface LooksOptions {
  db: Database;
  driver: Driver;
  engine: Engine;
  /** Wakes a workspace before its tool is called; absent if workspaces never sleep. */
  wake?: ((workspaceId: string) => Promise<void>) | undefined;
  clock: Clock;
  log: Log;
  /** The host of these workspaces; `main` by default. */
  host?: string | undefined;
  rounds?: Rounds | undefined;
  /** How many workspaces' output is followed at the same time; 500 by default. */
  mostFollowed?: number | undefined;
}

const sweepEveryMs = 5 * secondMs;
/** The caller waits for 3 s, or 25 s for a sleeping workspace; older questions have no reader. */
const forgottenAfterMs = 30 * secondMs;
/** A look is answered within milliseconds. A slower one continues without a slot, until the limit of each call ends it. */
const slotsOf = { most: 16, patienceMs: 500 } as const;
const limitMs = 15 * secondMs;
/** More wait for the next look, or for another worker. */
const mostClaimed = 1_000;
/** The end of a start's or a crash's output, with the lines that led to it. */
const mostLogBytes = 64 * 1024;
/** More than a driver keeps: three files of 4 MB each. */
const mostKeptBytes = 16 * 1024 * 1024;
/** Each takes that much memory. One that waits for a disk does not delay the others. */
const keptSlots = { most: 2, patienceMs: 500 } as const;

/** Answers until stopped. */
export function startLooks(options: LooksOptions): WakeLoop {
  const { db, clock, log } = options;
  const slots = createSlots(slotsOf);
  const output: OutputReading = { following: createOutputFollowing(options), kept: createSlots(keptSlots) };
  // By workspace and kind: one that hangs delays only its own callers.
  const underWay = new Map<string, Promise<void>>();
  let isStopping = false;
  const givingUp = new Set<(error: Error) => void>();
  // A wake may take 90 s, which is longer than a supervisor waits for a worker to end.
  const wakeUnlessStopping = async (workspaceId: string): Promise<void> => {
    if (isStopping) throw new Error("the worker stops");
    const stopped = Promise.withResolvers<never>();
    givingUp.add(stopped.reject);
    await Promise.race([options.wake?.(workspaceId), stopped.promise]).finally(() => givingUp.delete(stopped.reject));
  };
  const begin = (look: Look): void => {
    const key = `${look.workspaceId} ${look.kind}`;
    const ended = slots
      .run(() => answer({ ...options, wake: wakeUnlessStopping, output }, look))
      .catch((error: unknown) => {
        log.warn({ err: error, workspaceId: look.workspaceId, kind: look.kind }, "a look into a workspace failed");
        return false;
      })
      .then((isAnswered) => {
        underWay.delete(key);
        // It may have been requested again in the meantime.
        if (isAnswered) loop.wake();
      });
    underWay.set(key, ended);
  };
  const loop = createWakeLoop({
    async work() {
      await dropOldLooks(db, after(clock.now(), -forgottenAfterMs));
      const followers = { worker: output.following.worker, since: after(clock.now(), -followedForMs) };
      (
        await claimLooks(db, {
          most: mostClaimed,
          seconds: limitMs / secondMs,
          inHand: [...underWay.keys()],
          followers,
          host: options.host ?? mainHost,
        })
      ).forEach(begin);
    },
    followed: { by: options.rounds, name: "looks" },
    onError: (error) => log.warn({ err: error }, "looks into workspaces could not be answered"),
  });
  loop.start(sweepEveryMs);
  return {
    ...loop,
    async stop() {
      await loop.stop();
      isStopping = true;
      givingUp.forEach((giveUp) => giveUp(new Error("the worker stops")));
      await leaveFollowed(db, await output.following.stop()).catch((err: unknown) =>
        log.warn({ err }, "followed output could not be handed over to another worker"),
      );
      await Promise.all(underWay.values());
    },
  };
}

interface OutputReading {
  following: OutputFollowing;
  kept: Slots;
}

/** False if there is no answer. */
async function answer({ db, driver, engine, clock, wake, output }: LooksOptions & { output: OutputReading }, look: Look): Promise<boolean> {
  const { workspaceId, kind } = look;
  const limited = <T>(asked: Promise<T>): Promise<T> => within(limitMs, "a look", asked);
  const seen = await limited(driver.observe(workspaceId));
  if (seen.state === "absent") return false;
  const read = await readOutput({ driver, limited, ...output }, look);
  if (read !== undefined) {
    await answerLook(db, look, read, clock.now());
    return true;
  }
  // Starting a stopped one has its own limit.
  await wake?.(workspaceId);
  const [workspace] = await db
    .select({ address: workspaces.address, gatewayOpen: workspaces.gatewayOpen })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  if (!workspace?.address || !workspace.gatewayOpen) return false;
  if (kind === "members" && engine.members)
    await answerLook(db, look, { members: await limited(engine.members.list(workspace.address, workspaceId)) }, clock.now());
  else if (kind === "community-nodes" && engine.communityNodes)
    await answerLook(db, look, await limited(engine.communityNodes.list(workspace.address, workspaceId)), clock.now());
  else return false;
  return true;
}

/** The answer to a question about output; undefined for any other question. None of them wakes the workspace. */
async function readOutput(
  { driver, limited, following, kept }: OutputReading & { driver: Driver; limited: <T>(asked: Promise<T>) => Promise<T> },
  { workspaceId, kind }: Look,
): Promise<object | undefined> {
  const newest = async (maxBytes: number) => storableOutput(await limited(driver.logs(workspaceId, maxBytes)));
  if (kind === "logs") return { text: await newest(mostLogBytes) };
  if (kind === "follow-logs") return (await limited(following.follow(workspaceId))) ?? { text: await newest(mostLogBytes) };
  if (kind !== "kept-logs") return undefined;
  return kept.run(async () => {
    const text = await limited(driver.logs(workspaceId, mostKeptBytes));
    return { gzip: (await promisify(gzip)(text)).toString("base64") };
  });
}
