import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { allFolders, findControllers, freezerFolder, groupFolders, type Controllers } from "./find-controllers.ts";
import { freezeGroup, freezerWrites, isFrozen, isInFreezer, pageOut, pageOutRunning, thawGroup } from "./freezer.ts";
import { removeGroups } from "./limits.ts";

/** A host with version 1 may have version 2 beside it, without limits: enough to freeze. */
function secondVersion(): Controllers | undefined {
  const root = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, , type]) => type === "cgroup2")?.[1];
  return root === undefined ? undefined : { version: 2, root };
}

const canWrite = process.getuid?.() === 0;
const found = canWrite ? findControllers() : undefined;
const versions: [name: string, Controllers | undefined][] = [
  ["1", found?.version === 1 && found.freezer ? found : undefined],
  ["2", canWrite ? secondVersion() : undefined],
];

/** A process that counts in `count`, in its own group. */
async function startCounting(controllers: Controllers): Promise<{ group: string; pid: number; count(): number }> {
  const group = `freezer-test-${process.pid}-${controllers.version}`;
  const folder = freezerFolder(controllers, group)!;
  for (const each of allFolders(controllers, group)) mkdirSync(each, { recursive: true });
  // As a start does, in a group that an earlier process left frozen.
  await freezeGroup(controllers, group);
  for (const [file, value] of freezerWrites(controllers, group)) if (value !== "self") writeFileSync(file.replace("?", ""), value);
  const child = spawn("/bin/sh", ["-c", 'i=0; while :; do i=$((i + 1)); echo "$i"; sleep 0.02; done'], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let lines = 0;
  child.stdout.on("data", (text: Buffer) => (lines += String(text).split("\n").length - 1));
  writeFileSync(path.join(folder, "cgroup.procs"), String(child.pid));
  onTestFinished(async () => {
    thawGroup(controllers, group);
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await removeGroups(controllers, group);
    if (existsSync(path.dirname(folder)) && controllers !== found) rmdirSync(path.dirname(folder));
  });
  await expect.poll(() => lines).toBeGreaterThan(0);
  return { group, pid: child.pid!, count: () => lines };
}

for (const [name, controllers] of versions) {
  test(`in version ${name} of control groups, a frozen process does not run, can be paged out, and continues when thawed`, async ({
    skip,
  }) => {
    if (controllers === undefined) return skip("this host cannot freeze in this version");
    const { group, pid, count } = await startCounting(controllers);
    expect(isInFreezer(controllers, group, pid)).toBe(true);
    expect(isInFreezer(controllers, group, process.pid)).toBe(false);
    expect(isFrozen(controllers, group)).toBe(false);
    for (const _twice of [1, 2]) expect(await freezeGroup(controllers, group)).toBe(true);
    expect(isFrozen(controllers, group)).toBe(true);
    await pageOut(controllers, group, new AbortController().signal);
    await sleep(50);
    const before = count();
    await sleep(200);
    expect(count()).toBe(before);
    for (const _twice of [1, 2]) thawGroup(controllers, group);
    expect(isFrozen(controllers, group)).toBe(false);
    await expect.poll(count).toBeGreaterThan(before);
  });
}

for (const [name, controllers] of versions) {
  test(`in version ${name} of control groups, a process is paged out while it runs, and swap is closed to it afterwards`, async ({
    skip,
  }) => {
    if (controllers === undefined) return skip("this host cannot freeze in this version");
    const { group, count } = await startCounting(controllers);
    await pageOutRunning(controllers, group, new AbortController().signal);
    const before = count();
    await expect.poll(count).toBeGreaterThan(before);
    const [memory] = groupFolders(controllers, group);
    const file = path.join(memory!, controllers.version === 2 ? "memory.swap.max" : "memory.swappiness");
    if (existsSync(file)) expect(readFileSync(file, "utf8").trim()).toBe("0");
  });
}

test("a group that does not exist is not frozen, and thawing it does nothing", ({ skip }) => {
  const controllers = found ?? versions.find(([, each]) => each)?.[1];
  if (controllers === undefined) return skip("this host has no control groups that can be written");
  thawGroup(controllers, "no-such-group");
  expect(isFrozen(controllers, "no-such-group")).toBe(false);
  expect(isInFreezer(controllers, "no-such-group", process.pid)).toBe(false);
});
