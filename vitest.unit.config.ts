/** The unit tests (vitest.config.ts): `--project unit` is both of its kinds. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { quickModules } from "./tools/process/server-flags.mjs";

/**
 * Tests whose subject keeps nothing between calls: one process after another of these files reuses what it has imported. Each other file has
 * a process of its own: the panel's modules have a state, and the gateway's and drivers' tests look at their process's memory, clock and files.
 */
const statelessTests =
  "{contract,database,docs,domain,payments,platform,testing,apps/{api,ops},apps/provisioner/{backups,exports,reconcile,updates}}/**/*.test.ts";
const elsewhere = ["**/node_modules/**", "**/dist/**", "data/**", "**/*.engine.test.ts", "e2e/**"];
const minuteMs = 60_000;
/**
 * Vitest's default is one less than the number of cores, which on two cores is one file at a time. One more is much faster, since tests
 * that kill and wait for leases leave cores idle: on two cores 361 s, compared with 670 s with two files in parallel.
 */
const filesAtOnce = availableParallelism() + 1;

export default defineConfig({
  test: {
    name: "unit",
    environment: "node",
    execArgv: [quickModules],
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: filesAtOnce,
    testTimeout: minuteMs,
    hookTimeout: 2 * minuteMs,
    sequence: { groupOrder: 0 },
    projects: [
      { test: { name: "stateless", include: [statelessTests], exclude: elsewhere, isolate: false } },
      { test: { name: "alone", include: ["**/*.test.{ts,tsx,mjs}"], exclude: [...elsewhere, statelessTests] } },
    ],
  },
});
