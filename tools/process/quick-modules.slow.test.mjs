import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../root.mjs";
import { serverFlags } from "./server-flags.mjs";

/** The least CPU in ms that a new process takes to load the database library: other work on the machine increases it. */
function loadCpuMs(flags) {
  const program = `await import("drizzle-orm/node-postgres"); const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  const runs = [1, 2, 3].map(() => {
    const { stdout } = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", program], { cwd: root, encoding: "utf8" });
    return Number(stdout);
  });
  return Math.min(...runs);
}

test("the program loads its database library in less than two thirds of the time that plain Node takes", () => {
  // Again if other work on the machine began or ended between the two.
  let part = Infinity;
  for (let tries = 0; tries < 5 && part >= 2 / 3; tries += 1) {
    const quick = loadCpuMs(serverFlags);
    expect(quick).toBeGreaterThan(0);
    part = quick / loadCpuMs([]);
  }
  expect(part).toBeLessThan(2 / 3);
});

/** Prints what Node itself is asked to resolve, beyond the hook that is registered after it. */
const counter = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const asked = [];
  registerHooks({ resolve: (name, context, next) => (asked.push(name), next(name, context)) });
  process.on("exit", () => console.log(JSON.stringify(asked)));
`)}`;

test("Node resolves each package once for all modules of the program, and none of the program's own", () => {
  const program = `await import("./domain/mail/sending/mail-loop.ts")`;
  const flags = [`--import=${counter}`, ...serverFlags, "--input-type=module", "-e", program];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd: root, encoding: "utf8" });
  expect(stderr).toBe("");
  const asked = JSON.parse(stdout).filter((name) => !name.startsWith("node:"));
  expect(asked.filter((name) => name === "drizzle-orm")).toEqual(["drizzle-orm"]);
  expect(asked.filter((name) => name.startsWith("#"))).toEqual([]);
});
