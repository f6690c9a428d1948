/**
 * Which alarms the operator was sent. One row of `service_state`, locked while it is compared with what is wrong now: of any number of
 * processes, one gets each notice to send, and a restart remembers all of them. A notice whose process died while sending it is given out
 * again, so it may arrive twice, with the same id.
 */
import { changeState } from "#platform/postgres/service-state.ts";
import { after, dayMs, minuteMs, secondMs, sinceMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

const key = "alarms";

/** What is wrong now. */
export interface Condition {
  kind: string;
  /** For the operator: names and numbers, no secrets. */
  detail: string;
}

export interface Notice {
  /** Of the alarm: the same from its beginning to its end. */
  id: string;
  kind: string;
  event: "began" | "reminder" | "over";
  detail: string;
  since: Date;
}

interface Alarm {
  id: string;
  since: string;
  detail: string;
  /** The newest notice that arrived; null: none has. */
  sentAt: string | null;
  /** Since when it seems to be over. */
  clearSince: string | null;
  /** A process sends a notice until then, or it failed and is tried again then. */
  heldUntil: string | null;
  failures: number;
}

/** At most one reminder a day while it lasts. */
export const remindEveryMs = dayMs;
/** What is over for a moment only is not over. */
export const overAfterMs = 5 * minuteMs;
/** Longer than the longest attempt to send one. */
const sendingMs = 2 * minuteMs;
/** After a failed attempt: 1, 2, 4 … at most 32 minutes. */
const pauseMs = minuteMs;
const mostDoublings = 5;

/** Compares what is wrong with what was sent, and gives out the notices that this process must send now. */
export async function takeNotices(db: Database, conditions: readonly Condition[], now: Date): Promise<Notice[]> {
  return change(db, (alarms) => {
    const notices: Notice[] = [];
    const wrong = new Map(conditions.map((condition) => [condition.kind, condition.detail]));
    for (const [kind, detail] of wrong) {
      const alarm = (alarms[kind] ??= begin(detail, now));
      Object.assign(alarm, { detail, clearSince: null });
    }
    for (const [kind, alarm] of Object.entries(alarms)) {
      if (!wrong.has(kind)) alarm.clearSince ??= now.toISOString();
      const event = dueEvent(alarm, now);
      if (alarm.sentAt === null && alarm.clearSince !== null) delete alarms[kind];
      else if (event && !isHeld(alarm, now)) {
        alarm.heldUntil = after(now, sendingMs).toISOString();
        notices.push({ id: alarm.id, kind, event, detail: alarm.detail, since: new Date(alarm.since) });
      }
    }
    return notices;
  });
}

/** Notes that the notice arrived, or did not: then it is given out again after a while. */
export async function settleNotice(db: Database, { id, kind, event }: Notice, isSent: boolean, now: Date): Promise<void> {
  await change(db, (alarms) => {
    const alarm = alarms[kind];
    if (alarm?.id !== id) return;
    if (!isSent) {
      alarm.heldUntil = after(now, pauseMs * 2 ** Math.min(alarm.failures, mostDoublings)).toISOString();
      alarm.failures += 1;
    } else if (event === "over") delete alarms[kind];
    else Object.assign(alarm, { sentAt: now.toISOString(), heldUntil: null, failures: 0 });
  });
}

const begin = (detail: string, now: Date): Alarm => ({
  id: newId(now.getTime()),
  since: now.toISOString(),
  detail,
  sentAt: null,
  clearSince: null,
  heldUntil: null,
  failures: 0,
});

function dueEvent({ sentAt, clearSince }: Alarm, now: Date): Notice["event"] | null {
  if (sentAt === null) return "began";
  if (clearSince !== null) return sinceMs(new Date(clearSince), now) >= overAfterMs ? "over" : null;
  return sinceMs(new Date(sentAt), now) >= remindEveryMs ? "reminder" : null;
}

/** A hold far in the future was written before a clock was set back. */
function isHeld({ heldUntil }: Alarm, now: Date): boolean {
  if (heldUntil === null) return false;
  const aheadMs = new Date(heldUntil).getTime() - now.getTime();
  return aheadMs > 0 && aheadMs <= pauseMs * 2 ** mostDoublings + secondMs;
}

const change = <T>(db: Database, work: (alarms: Record<string, Alarm>) => T): Promise<T> =>
  changeState(db, { key, first: {} as Record<string, Alarm> }, async (alarms) => ({ result: work(alarms), next: alarms }));
