/**
 * Reads the output of followed workspaces once a second, and sends new lines on. Nothing is kept for a follower but the newest lines: no
 * connection, no slot, no row.
 */
import { publishOutput, partsOf } from "#domain/workspaces/observed/output-channel.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { within } from "#platform/loops/within.ts";
import type { Driver } from "../drivers/driver.ts";
import { readNewOutput, type NewOutput } from "../drivers/new-output.ts";

interface FollowOptions {
  db: Database;
  driver: Driver;
  log: Log;
  /** By default once a second. */
  everyMs?: number;
  /** How many workspaces are followed at the same time; 500 by default. */
  mostFollowed?: number | undefined;
}

/** The answer to a look at followed output. */
interface FollowedOutput {
  /** The worker that reads it: the next question is for this worker, as long as it lives. */
  worker: string;
  /** The newest lines. */
  text: string;
  /** Which reading they come from, and the last piece of it that they contain. */
  following: string;
  piece: number;
}

export interface OutputFollowing {
  /** Identifies this worker in its answers. */
  readonly worker: string;
  /**
   * Reads this workspace's output from now on, until no question for it has come for a while, and returns the newest lines. Undefined if
   * too many are followed already. Rejects if it cannot be read.
   */
  follow(workspaceId: string): Promise<FollowedOutput | undefined>;
  /** Ends all, and returns which they were. */
  stop(): Promise<string[]>;
}

/** The API repeats its question every 15 s, so one lost question ends nothing. For the same time, no other worker answers it. */
export const followedForMs = 40 * secondMs;
/** 300 lines a second: more cannot be read, and the rest is in the download. It limits what a verbose workspace costs the database. */
const mostBytesAtOnce = 32 * 1024;
/** As much as a look answers with. */
const mostKnown = 64 * 1024;
/** For one worker. Each keeps the newest lines in memory, and costs a look at a file every second. */
const usualMostFollowed = 500;
/** Longer than a healthy disk or service takes. One that hangs is not asked again for this workspace until it has answered. */
const limitMs = 5 * secondMs;
/** One that was silent for 30 s is looked at less often. */
const silentMs = 30 * secondMs;
const silentTicks = 3;

/** PostgreSQL has no NUL in its JSON. */
export const storableOutput = (text: string): string => text.replaceAll("\0", "\uFFFD");

interface Followed {
  text: string;
  following: string;
  piece: number;
  mark: string | null;
  until: number;
  newestAt: number;
  reading: Promise<void> | undefined;
}

/** Follows nothing yet. */
export function createOutputFollowing({
  db,
  driver,
  log,
  everyMs = secondMs,
  mostFollowed = usualMostFollowed,
}: FollowOptions): OutputFollowing {
  const followed = new Map<string, Followed>();
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;

  const read = async (workspaceId: string, each: Followed, asked: Promise<NewOutput>): Promise<void> => {
    const isFirst = each.mark === null;
    const { text, mark, isCut } = await within(limitMs, "reading the output", asked);
    each.mark = mark;
    if (text === "" && !isCut) return;
    each.newestAt = performance.now();
    const storable = storableOutput(text);
    // A surrogate pair is not split, because the database would refuse half of it.
    each.text = `${each.text}${storable}`.slice(-mostKnown).replace(/^[\udc00-\udfff]/, "");
    if (isFirst) return;
    const parts = partsOf(storable);
    const pieces = parts.map((part, place) => ({
      workspaceId,
      following: each.following,
      piece: (each.piece += 1),
      text: part,
      isCut: isCut && place === 0,
    }));
    try {
      await publishOutput(db, pieces);
    } catch (error) {
      // A follower learns of another reading with its next question, and then gets everything.
      each.following = newId();
      each.piece = 0;
      throw error;
    }
  };
  const readOnce = (workspaceId: string, each: Followed): Promise<void> => {
    if (each.reading) return each.reading;
    const asked = readNewOutput(driver, workspaceId, each.mark, each.mark === null ? mostKnown : mostBytesAtOnce);
    const reading = (each.reading = read(workspaceId, each, asked));
    void Promise.allSettled([asked, reading]).then(() => (each.reading = undefined));
    return reading;
  };
  const tick = (): void => {
    ticks += 1;
    const now = performance.now();
    for (const [workspaceId, each] of followed) {
      if (each.until < now) followed.delete(workspaceId);
      else if (!each.reading && (now - each.newestAt < silentMs || ticks % silentTicks === 0))
        readOnce(workspaceId, each).catch((err: unknown) => log.warn({ err, workspaceId }, "the output of a workspace could not be read"));
    }
    if (followed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const worker = newId();
  return {
    worker,
    async follow(workspaceId) {
      const now = performance.now();
      let each = followed.get(workspaceId);
      if (!each) {
        if (followed.size >= mostFollowed) return undefined;
        each = { text: "", following: newId(), piece: 0, mark: null, until: now, newestAt: now, reading: undefined };
        followed.set(workspaceId, each);
        timer ??= setInterval(tick, everyMs);
      }
      each.until = now + followedForMs;
      await readOnce(workspaceId, each);
      return { worker, text: each.text, following: each.following, piece: each.piece };
    },
    async stop() {
      clearInterval(timer);
      const ended = [...followed.keys()];
      const reading = Array.from(followed.values(), (each) => each.reading ?? Promise.resolve());
      followed.clear();
      await Promise.allSettled(reading);
      return ended;
    },
  };
}
