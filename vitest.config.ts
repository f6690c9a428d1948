/**
 * Three kinds of tests. unit (vitest.unit.config.ts): real PostgreSQL, processes and sockets, one file more than there are cores. e2e: the
 * whole product in a real browser, two files in parallel, since each mostly waits, for example for the lease of a killed process. engine:
 * one or more real n8ns, also with a browser, one file after the other: booting n8n or drawing its editor takes both of two cores.
 * They run one kind after the other: in parallel on two cores, tests with time limits fail.
 */
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./testing/longest-first.ts";
import { quickModules } from "./tools/process/server-flags.mjs";

const engineTests = "**/*.engine.test.ts";
const editorTests = ["e2e/control-plane.e2e.test.ts", "e2e/launch.e2e.test.ts", "e2e/manage-n8n.e2e.test.ts", "e2e/usage.e2e.test.ts"];
/** A schedule of faults is only as good as the time that is kept in it. */
const timedTests = ["e2e/chaos.e2e.test.ts"];
const elsewhere = ["**/node_modules/**", "**/dist/**", "data/**"];
const minuteMs = 60_000;
const wholeSetUp = { globalSetup: ["testing/engines/begin-engine-installs.ts"], setupFiles: ["testing/engines/wait-for-engines.ts"] };

export default defineConfig({
  test: {
    globalSetup: ["testing/start-test-postgres.ts"],
    sequence: { sequencer: LongestFirst },
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, "**/vitest.unit.config.ts"],
    environment: "node",
    execArgv: [quickModules],
    // A slow machine is not a broken one: what a test waits for takes longer there.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      "./vitest.unit.config.ts",
      {
        extends: true,
        test: {
          ...wholeSetUp,
          name: "engine",
          include: [engineTests, ...editorTests, ...timedTests],
          exclude: elsewhere,
          maxWorkers: 1,
          testTimeout: 5 * minuteMs,
          hookTimeout: 5 * minuteMs,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...wholeSetUp,
          name: "e2e",
          include: ["e2e/**/*.e2e.test.ts"],
          exclude: [...elsewhere, ...editorTests, ...timedTests],
          maxWorkers: 2,
          testTimeout: 5 * minuteMs,
          hookTimeout: 5 * minuteMs,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
