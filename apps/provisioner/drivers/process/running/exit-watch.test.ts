import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import { createExitWatch } from "./exit-watch.ts";
import { findHostTools } from "../host/host-tools.ts";
import type { ProcessRecord } from "./process-record.ts";
import { findProcess } from "./process-table.ts";

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

/** A running process and the matching record. */
async function start(): Promise<{ child: ChildProcess; record: ProcessRecord }> {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  children.push(child);
  await once(child, "spawn");
  const { started } = (await findProcess(child.pid!))!;
  return {
    child,
    record: {
      pid: child.pid!,
      started,
      bootId: findHostTools().bootId,
      specHash: "-",
      generation: 1,
      address: "-",
      startedAt: new Date().toISOString(),
      stopTimeoutMs: 0,
    },
  };
}

test("checks that hang or fail delay neither the checks of others nor the news of an end", async () => {
  const looked: string[] = [];
  const watch = createExitWatch(createLog("silent"), (workspaceId) => {
    looked.push(workspaceId);
    if (workspaceId.startsWith("hangs")) return new Promise(() => undefined);
    return workspaceId === "fails" ? Promise.reject(new Error("no such disk")) : Promise.resolve();
  });
  const ended: string[] = [];
  watch.listen((workspaceId) => ended.push(workspaceId));
  const hangs = await start();
  // More than are checked together.
  for (let index = 0; index < 12; index += 1) watch.noteRunning(`hangs-${index}`, hangs.record);
  watch.noteRunning("fails", (await start()).record);
  watch.noteRunning("well", (await start()).record);
  const dies = await start();
  watch.noteRunning("dies", dies.record);
  await vi.waitFor(() => expect(looked.filter((id) => id === "well").length).toBeGreaterThan(1), { timeout: 20_000 });
  dies.child.kill("SIGKILL");
  await vi.waitFor(() => expect(ended).toEqual(["dies"]), { timeout: 20_000 });
  expect(looked.filter((id) => id === "hangs-0")).toHaveLength(1);
});
