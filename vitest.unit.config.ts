/** The unit tests (vitest.config.ts): `--project unit` is both of its kinds. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { missingForCluster } from "./testing/cluster/cluster-tools.ts";
import { whyNoContainers } from "./testing/containers/start-service.ts";
import { quickModules } from "./tools/process/server-flags.mjs";

/**
 * Tests whose subject keeps no state between calls: one process runs these files one after the other and reuses what it has imported. Every
 * other file has a separate process: the panel's modules have state, and the gateway's and drivers' tests look at their process's memory,
 * clock and files.
 */
const statelessTests =
  "{contract,database,docs,domain,payments,platform,testing,apps/{api,ops},apps/provisioner/{backups,exports,reconcile,updates}}/**/*.test.ts";
const elsewhere = ["**/node_modules/**", "**/dist/**", "data/**", "**/*.engine.test.ts", ...testsWithoutContainers(), "e2e/**"];
const clusterTests = "**/*.cluster.test.ts";
const minuteMs = 60_000;
/**
 * Vitest's default is one less than the number of cores, which on two cores is one file at a time. One more is much faster, because tests
 * that kill processes and wait for leases leave cores idle: on two cores 361 s, compared with 670 s.
 */
const filesAtOnce = availableParallelism() + 1;

/**
 * Tests that need a Kubernetes cluster. If none can be started, they are left out of the run, which is reported. They are not among those
 * with a browser: each pod adds an address to this machine, and Chromium then aborts what it is loading.
 */
function clusterProjects() {
  const missing = missingForCluster();
  if (missing !== undefined) {
    console.warn(`The tests on a Kubernetes cluster are left out: ${missing}.`);
    return [];
  }
  // A machine has one cluster at a time, so a file may wait for the other's to end.
  return [
    { test: { name: "cluster", include: [clusterTests], exclude: elsewhere, testTimeout: 5 * minuteMs, hookTimeout: 15 * minuteMs } },
  ];
}
const cluster = clusterProjects();

/** Tests that need Docker, if it cannot be started here. They are then left out of the run, which is reported. */
function testsWithoutContainers(): string[] {
  const missing = whyNoContainers();
  if (missing === undefined) return [];
  console.warn(`The tests on Docker are left out: ${missing}.`);
  return ["**/*.container.test.ts"];
}

export default defineConfig({
  test: {
    name: "unit",
    environment: "node",
    execArgv: [quickModules],
    expect: { poll: { timeout: 20_000 } },
    // Of the two files with a cluster one waits for it, and the other for its turn.
    maxWorkers: filesAtOnce + 2 * cluster.length,
    // Only a test that hangs reaches these; one that promises a time measures it. The longest takes four minutes on a busy machine.
    testTimeout: 15 * minuteMs,
    hookTimeout: 15 * minuteMs,
    sequence: { groupOrder: 0 },
    projects: [
      { test: { name: "stateless", include: [statelessTests], exclude: [...elsewhere, clusterTests], isolate: false } },
      { test: { name: "alone", include: ["**/*.test.{ts,tsx,mjs}"], exclude: [...elsewhere, clusterTests, statelessTests] } },
      ...cluster,
    ],
  },
});
