import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { installWith, missingPackages } from "./host-packages.mjs";

test("only the packages of missing programs are named", () => {
  expect(missingPackages(() => true)).toEqual([]);
  expect(missingPackages((name) => name !== "bwrap" && name !== "mkfs.ext4")).toEqual(["bubblewrap", "e2fsprogs"]);
});

test("root on Debian has all of them after the set-up", () => {
  if (process.platform === "linux" && process.getuid() === 0 && existsSync("/usr/bin/apt-get")) expect(missingPackages()).toEqual([]);
  else expect(missingPackages()).toBeInstanceOf(Array);
});

/** Answers each command with the next of `results`, and then with success; `called` are the commands. */
function answerWith(...results) {
  const called = [];
  const run = async (program, args) => {
    called.push(`${program.split("/").at(-1)} ${args[0]}`);
    return results.shift() ?? { ok: true, output: "" };
  };
  return { called, run };
}

test("an installation that was interrupted is completed first", async () => {
  const interrupted = { ok: false, output: "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem." };
  const { called, run } = answerWith(interrupted);
  expect(await installWith(run, ["bubblewrap"])).toEqual({ ok: true, output: "" });
  expect(called).toEqual(["apt-get install", "dpkg --configure", "apt-get install"]);
});

test("a fresh machine fetches the list of packages first, and without a network the failure is that of the installation", async () => {
  const unknown = { ok: false, output: "E: Unable to locate package bubblewrap" };
  const fresh = answerWith(unknown);
  expect((await installWith(fresh.run, ["bubblewrap"])).ok).toBe(true);
  expect(fresh.called).toEqual(["apt-get install", "apt-get update", "apt-get install"]);
  const offline = answerWith(unknown, { ok: false, output: "E: Failed to fetch" });
  expect(await installWith(offline.run, ["bubblewrap"])).toEqual(unknown);
});
