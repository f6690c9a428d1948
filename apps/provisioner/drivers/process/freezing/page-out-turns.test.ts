/** Workspaces are paged out one after the other: other operations on one do not wait for the others. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { findHostTools } from "../host/host-tools.ts";
import type { ProcessHost } from "../host/process-host.ts";
import { workspacePaths } from "../storage/workspace-paths.ts";
import { openFreezing } from "./freeze-workspace.ts";

/** A folder of workspaces whose recorded process is this one, and swap in memory. */
function makeHost(ids: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-turns-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const note = { specHash: "-", generation: 1, address: "-", stopTimeoutMs: 0, uid: 1, sandboxed: true };
  const launched = { ...note, bootId: findHostTools().bootId, startedAt: new Date().toISOString() };
  for (const id of ids) {
    const paths = workspacePaths(folder, id);
    mkdirSync(paths.run, { recursive: true });
    writeFileSync(paths.record, `${process.pid}\n${readFileSync("/proc/self/stat", "utf8").trim()}\n${JSON.stringify(launched)}\n`);
  }
  const swaps = path.join(folder, "swaps");
  writeFileSync(swaps, "Filename\n/dev/zram7 partition 1000 0 100\n");
  return { folder, swapFiles: { swaps, blocks: folder } };
}

/** The host with a freezer that pages out only as told. */
function hostWith(folder: string, freezer: object): ProcessHost {
  return {
    log: createLog("silent"),
    paths: (id: string) => workspacePaths(folder, id),
    sandbox: { freezer },
    exits: { noteRunning: () => undefined },
    boundOutput: async () => undefined,
  } as unknown as ProcessHost;
}

test.runIf(process.platform === "linux")("a workspace that waits to be paged out while it runs can be stopped immediately", async () => {
  const { folder, swapFiles } = makeHost(["slow", "next"]);
  const freezing = openFreezing({ swapFiles }, undefined);
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const freezer = {
    isFrozen: () => false,
    pageOutRunning: () => {
      begun.resolve();
      return mayEnd.promise;
    },
  };
  const host = hostWith(folder, freezer);
  const slow = freezing.pageOut(host, "slow");
  await begun.promise;
  const next = freezing.pageOut(host, "next");
  const early = await Promise.race([next.then(() => "done"), new Promise((resolve) => setTimeout(resolve, 200, "waits"))]);
  expect(early).toBe("waits");
  freezing.interrupt("next");
  expect(await next).toMatchObject({ state: "running" });
  mayEnd.resolve();
  await slow;
});

test.runIf(process.platform === "linux")("a thaw waits neither for its own page-out nor for those of others", async () => {
  const { folder, swapFiles } = makeHost(["slow", "next"]);
  const freezing = openFreezing({ swapFiles }, undefined);
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let frozen = false;
  const pageOuts: AbortSignal[] = [];
  const freezer = {
    holds: () => true,
    isFrozen: () => frozen,
    freeze: async () => (frozen = true),
    thaw: () => (frozen = false),
    pageOut: (_record: object, signal: AbortSignal) => {
      pageOuts.push(signal);
      begun.resolve();
      return mayEnd.promise;
    },
  };
  const host = hostWith(folder, freezer);
  expect(await freezing.freeze(host, "slow", "frozen")).toMatchObject({ frozen: true });
  await begun.promise;
  expect(await freezing.freeze(host, "next", "frozen")).toMatchObject({ frozen: true });
  for (const id of ["next", "slow"]) {
    freezing.interrupt(id);
    expect(await freezing.thaw(host, id)).not.toHaveProperty("frozen");
  }
  // The one under way was told to end, and the one in the queue never begins.
  frozen = true;
  expect(pageOuts.map(({ aborted }) => aborted)).toEqual([true]);
  mayEnd.resolve();
  await freezing.freeze(host, "slow");
  expect(pageOuts.map(({ aborted }) => aborted)).toEqual([true, false]);
});
