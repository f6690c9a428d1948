/**
 * The figure that counts for a day on which a workspace may report less than it ran: the largest of its report, the gateway's count, and
 * the tool's own statistics. A pure function: whatever is killed or late, the same rows give the same figure.
 */
import { minuteMs } from "#platform/clock.ts";

/** The statistics of one process, followed from its first report. */
interface FollowedStatistics {
  life: string;
  first: number;
  unfinished: number;
  /** What was certain already at this process's first report. */
  before: number;
}

export interface DayCheck {
  added: number;
  excused: number;
  succeeded: number;
  followed: FollowedStatistics | null;
  differsSince: Date | null;
  toldAt: Date | null;
}

/** The tool's own statistics: see EngineStatistics. */
export interface SaidStatistics {
  life: string;
  succeeded: number;
  unfinished: number;
}

export interface DayLook {
  /** Whether the workspace reported its usage. */
  answered: boolean;
  /** The workspace's report for the day so far. */
  reported: number;
  /** The same at the previous check. */
  reportedBefore: number;
  /** For the day, read before the workspace was called: whatever the gateway had seen by then was already counted there. */
  gateway: number;
  /** Null: unknown, or not of this day alone. */
  statistics: SaidStatistics | null;
  /** Whether the plan was recently used up, so that what the gateway saw may have been refused. */
  isLimited: boolean;
  now: Date;
}

export const untouched: DayCheck = { added: 0, excused: 0, succeeded: 0, followed: null, differsSince: null, toldAt: null };

/** Ten times the executions of a workspace that does nothing else all day: more is a lie or a fault. */
export const mostADay = 10_000_000;

/** A day may hold this many executions that were answered but not yet counted when the tool was killed: a few at each kill. */
const leastDifference = 5;
/** A workspace that is killed often loses a share, too. */
const leastShare = 0.01;
/**
 * Five checks. The gateway writes every 10 s, and a workspace counts as it answers, so an honest workspace shows no difference
 * one check later.
 */
const lastingMs = 5 * minuteMs;
/** A workspace that serves visitors but does not report its usage may be in trouble for a while. */
const silentMs = 60 * minuteMs;

/** Executions reported late are first set off against those added for them: returns how many of `grown` are new. */
export function takeReport(check: DayCheck, grown: number): { check: DayCheck; counted: number } {
  const known = Math.min(grown, check.added);
  return { check: { ...check, added: check.added - known }, counted: grown - known };
}

/** Compares, after `takeReport`. `claimed` executions count from now on; `isNews`: operators must be told. */
export function settleDay(last: DayCheck, look: DayLook): { check: DayCheck; claimed: number; isNews: boolean } {
  const { followed, succeeded } = followStatistics(last, look.statistics);
  const counted = look.reported + last.added;
  const unseen = Math.max(0, look.gateway - last.excused - counted);
  // A refused call looks like one that ran; statistics know what ran to its end. The gateway's figure is older than the workspace's present
  // report and newer than its previous one: only compared with both is no refused call left to be counted later.
  const excused = look.isLimited ? Math.max(last.excused, look.gateway - look.reportedBefore - last.added) : last.excused;
  const claimed = Math.max(look.isLimited ? 0 : unseen, succeeded - counted, 0);
  const added = last.added + claimed;
  const differs = added > Math.max(leastDifference, (look.reported + added) * leastShare);
  // A clock that was set back must not delay it.
  const since = last.differsSince && last.differsSince <= look.now ? last.differsSince : look.now;
  const isNews = differs && !last.toldAt && look.now.getTime() - since.getTime() >= (look.answered ? lastingMs : silentMs);
  const check = { added, excused, succeeded, followed, differsSince: differs ? since : null, toldAt: isNews ? look.now : last.toldAt };
  return { check, claimed, isNews };
}

/**
 * Within one process, the statistics only grow by what began since the first check or was unfinished then. Another process may have another
 * database: a restored one reports less, and the one before the restore more, without anything having run.
 */
function followStatistics(last: DayCheck, said: SaidStatistics | null): Pick<DayCheck, "followed" | "succeeded"> {
  if (!said) return last;
  if (last.followed?.life !== said.life) {
    return {
      followed: { life: said.life, first: said.succeeded, unfinished: said.unfinished, before: last.succeeded },
      succeeded: last.succeeded,
    };
  }
  const { first, unfinished, before } = last.followed;
  return { followed: last.followed, succeeded: Math.max(last.succeeded, Math.min(mostADay, before + said.succeeded - first - unfinished)) };
}
