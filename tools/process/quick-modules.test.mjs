import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../root.mjs";
import { serverFlags } from "./server-flags.mjs";

/** CPU in ms that a new process takes to load the database library, at best: what else runs on the machine makes it more. */
function loadCpuMs(flags) {
  const program = `await import("drizzle-orm/node-postgres"); const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  const runs = [1, 2, 3].map(() => {
    const { stdout } = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", program], { cwd: root, encoding: "utf8" });
    return Number(stdout);
  });
  return Math.min(...runs);
}

test("the program loads its database library in less than two thirds of the time that Node takes by itself", () => {
  const quick = loadCpuMs(serverFlags);
  expect(quick).toBeGreaterThan(0);
  expect(quick).toBeLessThan((loadCpuMs([]) * 2) / 3);
});
