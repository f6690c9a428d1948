import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import { createUses } from "./uses.ts";

/** Uses whose database and open connections the test controls. */
function build() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const state = { asleep: [] as string[], open: [] as string[], fails: false, hangs: false, recorded: [] as string[][] };
  const uses = createUses({
    record: (ids) => {
      if (state.fails) return Promise.reject(new Error("no database"));
      state.recorded.push([...ids]);
      if (state.hangs) return new Promise(() => {});
      return Promise.resolve(ids.filter((id) => state.asleep.includes(id)));
    },
    used: () => state.open,
    log: createLog("silent"),
  });
  onTestFinished(() => uses.stop());
  return { state, uses };
}

test("a hundred simultaneous requests cause one write, and those of the next minute none", async () => {
  const { state, uses } = build();
  expect(new Set(await Promise.all(Array.from({ length: 100 }, async () => uses.note("w"))))).toEqual(new Set(["awake"]));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(uses.note("w")).toBe("awake");
  expect(state.recorded).toEqual([["w"]]);
  await vi.advanceTimersByTimeAsync(2_000);
  await uses.note("w");
  expect(state.recorded).toHaveLength(2);
});

test("an open connection is recorded every 20 s, whether or not its beginning was", async () => {
  const { state } = build();
  state.open = ["w"];
  await vi.advanceTimersByTimeAsync(61_000);
  expect(state.recorded).toEqual([["w"], ["w"], ["w"]]);
});

test("a use of a sleeping workspace is never taken for one of an awake one", async () => {
  const { state, uses } = build();
  state.asleep = ["w"];
  expect(await uses.note("w")).toBe("asleep");
  expect(await uses.note("w")).toBe("asleep");
  state.asleep = [];
  expect(await uses.note("w")).toBe("awake");
});

test("a hanging database delays one visitor for two seconds, those of the next two not at all, and gets one write", async () => {
  const { state, uses } = build();
  state.hangs = true;
  for (let visits = 0; visits < 3; visits += 1) {
    const noted = Promise.resolve(uses.note("w")).then(
      () => "known",
      () => "unknown",
    );
    await vi.advanceTimersByTimeAsync(1_900);
    expect(await Promise.race([noted, Promise.resolve("waiting")])).toBe("waiting");
    await vi.advanceTimersByTimeAsync(200);
    expect(await Promise.race([noted, Promise.resolve("waiting")])).toBe("unknown");
    const next = Promise.resolve(uses.note("w")).catch(() => "unknown");
    await Promise.resolve();
    await Promise.resolve();
    expect(await Promise.race([next, Promise.resolve().then(() => "waiting")])).toBe("unknown");
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(state.recorded).toEqual([["w"]]);
});

test("without the database a use is unknown, and a wake is retried until it is recorded or no request waits for it", async () => {
  const { state, uses } = build();
  state.fails = true;
  await expect(uses.note("w")).rejects.toThrow("no database");
  const given = new AbortController();
  const waking = uses.wake("w", given.signal);
  await vi.advanceTimersByTimeAsync(3_000);
  state.fails = false;
  await vi.advanceTimersByTimeAsync(1_000);
  await waking;
  expect(state.recorded).toEqual([["w"]]);
  state.fails = true;
  const unwanted = uses.wake("w", given.signal);
  given.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await unwanted;
});
