import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { missingPackages } from "./host-packages.mjs";

test("only the packages of missing programs are named", () => {
  expect(missingPackages(() => true)).toEqual([]);
  expect(missingPackages((name) => name !== "bwrap" && name !== "mkfs.ext4")).toEqual(["bubblewrap", "e2fsprogs"]);
});

test("root on Debian has all of them after the set-up", () => {
  if (process.platform === "linux" && process.getuid() === 0 && existsSync("/usr/bin/apt-get")) expect(missingPackages()).toEqual([]);
  else expect(missingPackages()).toBeInstanceOf(Array);
});
