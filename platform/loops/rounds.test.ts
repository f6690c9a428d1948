import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRounds } from "./rounds.ts";
import { createWakeLoop } from "./wake-loop.ts";

function watched(everyMs = 5_000) {
  let now = 0;
  const rounds = createRounds(() => now, 15_000);
  return { rounds, everyMs, pass: (ms: number) => (now += ms) };
}

test("a hanging loop is named within 20 s, but not while it reports between parts of its work, nor after its end", async () => {
  const { rounds, everyMs, pass } = watched();
  let part = Promise.withResolvers<void>();
  const loop = createWakeLoop({
    async work(isStopping) {
      while (!isStopping()) await part.promise;
    },
    onError: () => undefined,
    followed: { by: rounds, name: "mails" },
  });
  loop.start(everyMs);
  await turn();
  for (let parts = 0; parts < 5; parts += 1) {
    pass(10_000);
    const ended = part;
    part = Promise.withResolvers<void>();
    ended.resolve();
    await turn();
    expect(rounds.standing()).toEqual([]);
  }
  pass(20_001);
  expect(rounds.standing()).toEqual(["mails"]);
  const stopping = loop.stop();
  part.resolve();
  await stopping;
  expect(rounds.standing()).toEqual([]);
});

test("a loop whose work fails still counts as running", async () => {
  const { rounds, everyMs, pass } = watched();
  const loop = createWakeLoop({
    work: () => Promise.reject(new Error("no database")),
    onError: () => undefined,
    followed: { by: rounds, name: "mails" },
  });
  loop.start(everyMs);
  for (let times = 0; times < 5; times += 1) {
    pass(19_000);
    loop.wake();
    await turn();
    expect(rounds.standing()).toEqual([]);
  }
  await loop.stop();
});

test("a loop that hangs is named although another one of that name runs, or was stopped", () => {
  const { rounds, pass } = watched();
  rounds.follow("memory", 5_000);
  const [running, stopped] = [rounds.follow("memory", 60_000), rounds.follow("memory", 5_000)];
  stopped.end();
  pass(20_001);
  running.went();
  expect(rounds.standing()).toEqual(["memory"]);
});

test("a loop says when it last succeeded and how often it failed, and a hanging one of the same name hides neither", async () => {
  const { rounds, everyMs, pass } = watched();
  let fails = false;
  const loop = createWakeLoop({
    work: () => (fails ? Promise.reject(new Error("no database")) : Promise.resolve()),
    onError: () => undefined,
    followed: { by: rounds, name: "mails" },
  });
  loop.start(everyMs);
  await turn();
  fails = true;
  for (let times = 0; times < 3; times += 1) {
    pass(10_000);
    loop.wake();
    await turn();
  }
  expect(rounds.loops()).toEqual([{ name: "mails", successSeconds: 30, failures: 3 }]);
  rounds.follow("mails", everyMs);
  fails = false;
  loop.wake();
  await turn();
  pass(5_000);
  expect(rounds.loops()).toEqual([{ name: "mails", successSeconds: 5, failures: 3 }]);
  await loop.stop();
});
