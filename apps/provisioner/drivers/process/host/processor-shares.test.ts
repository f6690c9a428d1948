import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProcessorShares, lastingPart, nextShare, startMs, type Share } from "./processor-shares.ts";

const cpus = 1;
const small = { seconds: 1, processors: 2 };

/** What a workspace is held to in each of so many seconds of the same use. */
function heldTo(seconds: number, from: Share, use: { own?: number; others: number; processors?: number }): number[] {
  let share = from;
  return Array.from({ length: seconds }, () => {
    share = nextShare(share, { ...small, own: share.cpus, ...use }, cpus);
    return share.cpus;
  });
}

describe("a workspace that never rests", () => {
  test("has all of its time for a second or two, and half from then on, where others have work", () => {
    expect(heldTo(6, { burst: 1.5, cpus }, { others: 0.8 })).toEqual([1, lastingPart, lastingPart, lastingPart, lastingPart, lastingPart]);
  });

  test("keeps all of it where nobody else has work, and on a host with room for it", () => {
    expect(heldTo(60, { burst: 1, cpus }, { others: 0.2 })).toEqual(Array.from({ length: 60 }, () => 1));
    expect(heldTo(60, { burst: 1, cpus }, { others: 9, processors: 16 })).toEqual(Array.from({ length: 60 }, () => 1));
  });

  test("keeps all of it on a host of one processor, too, while the others hardly work", () => {
    expect(heldTo(60, { burst: 1, cpus }, { others: 0.15, processors: 1 })).toEqual(Array.from({ length: 60 }, () => 1));
    expect(heldTo(2, { burst: 1, cpus }, { others: 0.25, processors: 1 })).toEqual([lastingPart, lastingPart]);
  });

  test("is told from one that has much work and is done with it now and then", () => {
    expect(heldTo(60, { burst: 1, cpus }, { own: 0.85, others: 1.1 })).toEqual(Array.from({ length: 60 }, () => 1));
  });

  test("has it back two seconds after it came to rest, however long it was busy, and when the others are done", () => {
    const busy = Array.from({ length: 3_600 }).reduce<Share>((share) => nextShare(share, { ...small, own: 0.98, others: 0.8 }, cpus), {
      burst: 1,
      cpus,
    });
    expect(busy.cpus).toBe(lastingPart);
    expect(heldTo(2, busy, { own: 0, others: 0.8 })).toEqual([lastingPart, 1]);
    expect(heldTo(1, busy, { others: 0.1 })).toEqual([1]);
  });
});

test("one that rests saves up no more than its burst, and what a start left lapses", () => {
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
      used: () => Promise.resolve(used),
      hold: (_, to) => Promise.resolve(void held.push(to)),
    });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    [used, held, aheadMs] = [0, [], 0];
  });
  afterEach(() => void vi.useRealTimers());

  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

  test("end its start when it answers, once", async () => {
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

  test("end it after half a minute, though the clock was set back", async () => {
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

  test("end it at once for one that was found running, and give a new process a start of its own", async () => {
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

  test("leave it alone where the host does not count", async () => {
    const watched = createProcessorShares({
      cpus,
      now: () => new Date(3_600_000),
      used: () => Promise.resolve(undefined),
      hold: (_, to) => Promise.resolve(void held.push(to)),
    });
    for (let look = 0; look < 5; look += 1) {
      await watched.look("w", runner);
      pass(1_000);
    }
    expect(held).toEqual([cpus]);
  });
});
