import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProcessorShares, lastingPart, nextShare, startMs, type Share } from "./processor-shares.ts";

const cpus = 1;
const small = { seconds: 1, processors: 2 };

/** The limit of a workspace after each of so many seconds of the same use. */
function heldTo(seconds: number, from: Share, use: { own?: number; others: number; processors?: number }): number[] {
  let share = from;
  return Array.from({ length: seconds }, () => {
    share = nextShare(share, { ...small, own: share.cpus, ...use }, cpus);
    return share.cpus;
  });
}

describe("a workspace that is always busy", () => {
  test("has its full share for a second or two, then half while others have work", () => {
    expect(heldTo(6, { burst: 1.5, cpus }, { others: 0.8 })).toEqual([1, lastingPart, lastingPart, lastingPart, lastingPart, lastingPart]);
  });

  test("keeps its full share while no others have work, and on a host with capacity to spare", () => {
    expect(heldTo(60, { burst: 1, cpus }, { others: 0.2 })).toEqual(Array.from({ length: 60 }, () => 1));
    expect(heldTo(60, { burst: 1, cpus }, { others: 9, processors: 16 })).toEqual(Array.from({ length: 60 }, () => 1));
  });

  test("keeps its full share on a host with one processor, too, while the others hardly work", () => {
    expect(heldTo(60, { burst: 1, cpus }, { others: 0.15, processors: 1 })).toEqual(Array.from({ length: 60 }, () => 1));
    expect(heldTo(2, { burst: 1, cpus }, { others: 0.25, processors: 1 })).toEqual([lastingPart, lastingPart]);
  });

  test("is distinguished from one with much work and occasional pauses", () => {
    expect(heldTo(60, { burst: 1, cpus }, { own: 0.85, others: 1.1 })).toEqual(Array.from({ length: 60 }, () => 1));
  });

  test("has its full share back two seconds after it becomes idle, however long it was busy, and when the others are done", () => {
    const busy = Array.from({ length: 3_600 }).reduce<Share>((share) => nextShare(share, { ...small, own: 0.98, others: 0.8 }, cpus), {
      burst: 1,
      cpus,
    });
    expect(busy.cpus).toBe(lastingPart);
    expect(heldTo(2, busy, { own: 0, others: 0.8 })).toEqual([lastingPart, 1]);
    expect(heldTo(1, busy, { others: 0.1 })).toEqual([1]);
  });
});

test("an idle workspace saves up at most its burst, and what remains of the burst at start expires", () => {
  const rested = Array.from({ length: 60 }).reduce<Share>((share) => nextShare(share, { ...small, own: 0, others: 0.8 }, cpus), {
    burst: 3,
    cpus,
  });
  expect(rested).toEqual({ burst: 1, cpus: 1 });
});

describe("looks at a running workspace", () => {
  let used: number;
  let held: number[];
  let aheadMs: number;
  const runner = { pid: 7, uid: 100_001, startedAt: new Date(0) };
  const shares = () =>
    createProcessorShares({
      cpus,
      now: () => new Date(aheadMs),
      used: () => used,
      hold: (_, to) => Promise.resolve(void held.push(to)),
    });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    [used, held, aheadMs] = [0, [], 0];
  });
  afterEach(() => void vi.useRealTimers());

  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

  test("end the start when the workspace answers, once", async () => {
    const watched = shares();
    await watched.look("w", runner);
    pass(1_000);
    await watched.look("w", runner);
    expect(held).toEqual([]);
    watched.endStart("w");
    for (let look = 0; look < 3; look += 1) {
      pass(1_000);
      await watched.look("w", runner);
    }
    expect(held).toEqual([cpus]);
  });

  test("end the start after half a minute, even if the clock was set back", async () => {
    const watched = shares();
    await watched.look("w", runner);
    aheadMs = -3_600_000;
    pass(startMs - 1_000);
    await watched.look("w", runner);
    expect(held).toEqual([]);
    pass(1_000);
    await watched.look("w", runner);
    expect(held).toEqual([cpus]);
  });

  test("end the start immediately for a workspace found running, and give each new process a new one", async () => {
    const watched = shares();
    aheadMs = 3_600_000;
    await watched.look("w", runner);
    await watched.look("w", runner);
    expect(held).toEqual([cpus]);
    watched.endStart("w");
    const second = { ...runner, pid: 8, startedAt: new Date(aheadMs) };
    await watched.look("w", second);
    pass(1_000);
    await watched.look("w", second);
    expect(held).toEqual([cpus]);
  });

  test("change nothing on a host that does not count processor time", async () => {
    const watched = createProcessorShares({
      cpus,
      now: () => new Date(3_600_000),
      used: () => undefined,
      hold: (_, to) => Promise.resolve(void held.push(to)),
    });
    for (let look = 0; look < 5; look += 1) {
      await watched.look("w", runner);
      pass(1_000);
    }
    expect(held).toEqual([cpus]);
  });
});
