/**
 * What of a day counts, where a workspace may report less than it ran: the largest of what it reported, what the gateway saw, and
 * what the tool's own statistics say. A function without a memory of its own: whoever is killed or late, the same rows give the same figure.
 */
import { minuteMs } from "#platform/clock.ts";

/** The statistics of one process, which are followed from what they first said. */
export interface FollowedStatistics {
  life: string;
  first: number;
  unfinished: number;
  /** What was sure already when this process was first asked. */
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

/** What a tool's own statistics say: see EngineStatistics. */
export interface SaidStatistics {
  life: string;
  succeeded: number;
  unfinished: number;
}

export interface DayLook {
  /** Whether the workspace said what it used. */
  answered: boolean;
  /** All that the workspace reported of the day by now. */
  reported: number;
  /** The same by the look before this one. */
  reportedBefore: number;
  /** Of the day, read before the workspace was asked: whatever the gateway saw by then had been counted there. */
  gateway: number;
  /** Null: not told, or not of this day alone. */
  statistics: SaidStatistics | null;
  /** Whether the plan was used up a moment ago, so that what the gateway saw may have been refused. */
  isLimited: boolean;
  now: Date;
}

export const untouched: DayCheck = { added: 0, excused: 0, succeeded: 0, followed: null, differsSince: null, toldAt: null };

/** Times ten the executions of a workspace that does nothing else all day: more is a lie, or a fault. */
export const mostADay = 10_000_000;

/** The day may hold so many executions that were answered and not yet counted when the tool was killed: a few at each kill. */
const leastDifference = 5;
/** A workspace that is killed again and again loses a share, too. */
const leastShare = 0.01;
/** Five looks. The gateway writes each 10 s, and a workspace counts as it answers: one look later nothing honest is left. */
const lastingMs = 5 * minuteMs;
/** One that lets people in and does not say what it used may be in trouble for a while. */
const silentMs = 60 * minuteMs;

/** Executions reported late fill what was added for them before: returns how many of `grown` are news. */
export function takeReport(check: DayCheck, grown: number): { check: DayCheck; counted: number } {
  const known = Math.min(grown, check.added);
  return { check: { ...check, added: check.added - known }, counted: grown - known };
}

/** Compares, after `takeReport`. `claimed` executions count from now on that did not before; `isNews`: operators are to be told. */
export function settleDay(last: DayCheck, look: DayLook): { check: DayCheck; claimed: number; isNews: boolean } {
  const { followed, succeeded } = follow(last, look.statistics);
  const counted = look.reported + last.added;
  const unseen = Math.max(0, look.gateway - last.excused - counted);
  // A refused call looks like one that ran; statistics know what ran to its end. What the gateway has written is older than what the
  // workspace reports now and younger than what it reported before: only beside that is nothing refused left over to be claimed later.
  const excused = look.isLimited ? Math.max(last.excused, look.gateway - look.reportedBefore - last.added) : last.excused;
  const claimed = Math.max(look.isLimited ? 0 : unseen, succeeded - counted, 0);
  const added = last.added + claimed;
  const differs = added > Math.max(leastDifference, (look.reported + added) * leastShare);
  // A clock that was put back must not keep it waiting.
  const since = last.differsSince && last.differsSince <= look.now ? last.differsSince : look.now;
  const isNews = differs && !last.toldAt && look.now.getTime() - since.getTime() >= (look.answered ? lastingMs : silentMs);
  const check = { added, excused, succeeded, followed, differsSince: differs ? since : null, toldAt: isNews ? look.now : last.toldAt };
  return { check, claimed, isNews };
}

/**
 * Within one process the figure of the statistics only grows, by what began since the first look or was unfinished then. Another process
 * may have another database: a restored one says less, and the one before the restore more, without anything having run.
 */
function follow(last: DayCheck, said: SaidStatistics | null): Pick<DayCheck, "followed" | "succeeded"> {
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
