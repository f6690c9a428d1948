import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startRunnerOnDemand } from "./workspace-side/code-runner/runner-on-demand.mts";

const idleMs = 60;

/** The two classes of n8n as far as they matter, with a runner that takes a task a moment after it has started. */
function pretendN8n(flaws: { startsFailing?: number; withoutDiscard?: boolean; runs?: boolean } = {}) {
  const seen: string[] = [];
  let failing = flaws.startsFailing ?? 0;
  class Runner {
    process: object | null = null;
    runnerId: string | null = null;
    isEnding = false;
    isDraining = false;
    /** Called when the runner has its signal to stop, but has not ended. */
    duringEnd = (): void => undefined;
    async start(): Promise<void> {
      if (this.process) throw new Error("already running");
      await sleep(5);
      if (failing > 0) {
        failing -= 1;
        throw new Error("no room");
      }
      this.process = {};
      this.runnerId = "one";
      seen.push("started");
    }
    async stop(): Promise<void> {
      this.isEnding = true;
      this.duringEnd();
      await sleep(20);
      Object.assign(this, { isEnding: false, isDraining: false });
      this.process = null;
      this.runnerId = null;
      seen.push("stopped");
    }
  }
  class Broker {
    tasks = new Map<string, object>();
    pendingTaskRequests: object[] = [];
    lostTasks: object[] = [];
    /** With the signal alone, n8n's runner keeps taking tasks. */
    taskRequested(request: { taskType: string }): void {
      (runner.isEnding && !runner.isDraining ? this.lostTasks : this.pendingTaskRequests).push(request);
    }
    async messageRunner(id: string, { type }: { type: string }): Promise<void> {
      if (id === runner.runnerId && type === "broker:drain") runner.isDraining = true;
    }
    discardOffersFrom(id: string): void {
      seen.push(`discarded ${id}`);
    }
  }
  if (flaws.withoutDiscard) Reflect.deleteProperty(Broker.prototype, "discardOffersFrom");
  const runner = new Runner();
  if (flaws.runs) Object.assign(runner, { process: {}, runnerId: "first" });
  const broker = new Broker();
  const works = startRunnerOnDemand(Runner, Broker, { runner: () => runner, broker: () => broker }, idleMs);
  const ask = (taskType = "javascript") => broker.taskRequested({ taskType });
  return { runner, broker, seen, works, ask, serve: () => broker.pendingTaskRequests.splice(0) };
}

test("the runner starts with the first task, and ends after the last", async () => {
  const { runner, broker, seen, works, ask, serve } = pretendN8n();
  expect(works).toBe(true);
  await runner.start();
  expect(seen).toEqual([]);
  ask();
  ask();
  expect(broker.pendingTaskRequests).toHaveLength(2);
  await expect.poll(() => seen).toEqual(["started"]);
  // Waiting and running tasks keep it.
  await sleep(3 * idleMs);
  serve();
  broker.tasks.set("1", {});
  await sleep(3 * idleMs);
  expect(seen).toEqual(["started"]);
  broker.tasks.clear();
  await expect.poll(() => seen).toEqual(["started", "discarded one", "stopped"]);
  expect(runner.process).toBeNull();
});

test("a runner that n8n has already started is ended, and the first task starts one", async () => {
  const { seen, ask } = pretendN8n({ runs: true });
  await expect.poll(() => seen).toEqual(["discarded first", "stopped"]);
  ask();
  await expect.poll(() => seen).toEqual(["discarded first", "stopped", "started"]);
});

test("a task that arrives while the runner ends gets the next runner", async () => {
  const { seen, ask, serve } = pretendN8n();
  ask();
  serve();
  await expect.poll(() => seen).toContain("discarded one");
  ask();
  await expect.poll(() => seen).toEqual(["started", "discarded one", "stopped", "started"]);
});

test("a runner that ends takes no more tasks, which would end with it", async () => {
  const { runner, broker, seen, ask, serve } = pretendN8n();
  ask();
  serve();
  runner.duringEnd = () => {
    runner.duringEnd = () => undefined;
    ask();
  };
  await expect.poll(() => seen).toEqual(["started", "discarded one", "stopped", "started"]);
  expect([broker.lostTasks.length, broker.pendingTaskRequests.length]).toEqual([0, 1]);
});

test("a runner that ends unexpectedly is started again by n8n while there are tasks, but not after that", async () => {
  const { runner, seen, ask, serve } = pretendN8n();
  ask();
  await expect.poll(() => seen).toEqual(["started"]);
  runner.process = null;
  await runner.start();
  expect(seen).toEqual(["started", "started"]);
  serve();
  await expect.poll(() => seen).toContain("stopped");
  await runner.start();
  expect(seen.at(-1)).toBe("stopped");
});

test("a task that arrives while n8n restarts a crashed runner starts no second one", async () => {
  const { runner, seen, ask } = pretendN8n();
  ask();
  await expect.poll(() => seen).toEqual(["started"]);
  runner.process = null;
  const restart = runner.start();
  ask();
  await restart;
  await sleep(idleMs / 2);
  expect(seen).toEqual(["started", "started"]);
});

test("a start that fails is tried again", async () => {
  const { seen, ask } = pretendN8n({ startsFailing: 1 });
  ask();
  await expect.poll(() => seen).toEqual(["started"]);
});

test("tasks of another kind start no runner", async () => {
  const { seen, ask } = pretendN8n();
  ask("python");
  await sleep(idleMs);
  expect(seen).toEqual([]);
});

test("on a release without the functions that this needs, the runner starts with n8n", async () => {
  const { runner, seen, works } = pretendN8n({ withoutDiscard: true });
  expect(works).toBe(false);
  await runner.start();
  expect(seen).toEqual(["started"]);
});
