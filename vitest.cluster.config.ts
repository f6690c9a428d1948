/**
 * `npm run test:cluster` (tools/test-cluster.mjs): n8n itself in a pod, and a browser. Not part of `npm test`: it takes
 * ten minutes and 12 GB of disk.
 */
import { defineConfig } from "vitest/config";
import { missingForCluster } from "./testing/cluster/cluster-tools.ts";
import { quickModules } from "./tools/process/server-flags.mjs";

const missing = missingForCluster();
if (missing !== undefined) throw new Error(`No Kubernetes cluster can be started here: ${missing}.`);

export default defineConfig({
  test: {
    environment: "node",
    include: ["testing/chart/n8n-in-a-pod.suite.ts"],
    globalSetup: ["testing/start-test-postgres.ts"],
    execArgv: [quickModules],
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 5 * 60_000,
    // Each test continues where the one before ended.
    bail: 1,
  },
});
