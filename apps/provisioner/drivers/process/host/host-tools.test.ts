import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { expect, test, vi } from "vitest";

test("a lock held by another process does not make a host look as if it had no flock", async () => {
  const hasFlock = existsSync("/usr/bin/flock");
  // The folder that every program on the host can lock, held during the check.
  const holder = hasFlock
    ? spawn("/usr/bin/flock", ["-F", "/", "/bin/sh", "-c", "echo held; exec sleep 30"], { stdio: ["ignore", "pipe", "inherit"] })
    : undefined;
  try {
    if (holder) await once(holder.stdout, "data");
    vi.resetModules();
    const { findHostTools } = await import("./host-tools.ts");
    expect(findHostTools().flock).toBe(hasFlock ? "/usr/bin/flock" : undefined);
  } finally {
    holder?.kill("SIGKILL");
  }
});

test("a trial that fails by chance is repeated, one that always fails ends with its last message", async () => {
  const { tryAgain } = await import("./host-tools.ts");
  const said = ["Resource busy", undefined, "never asked"];
  expect(tryAgain(() => said.shift())).toBeUndefined();
  expect(said).toEqual(["never asked"]);
  let trials = 0;
  expect(tryAgain(() => `trial ${(trials += 1)}`)).toBe("trial 3");
});
