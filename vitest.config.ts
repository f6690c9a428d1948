/**
 * Two kinds of tests, one after the other. unit (vitest.unit.config.ts): real PostgreSQL, processes and sockets, a cluster. whole: the
 * whole product, with a browser or a real engine or both. Several files of a kind run in parallel, the longest first. The two kinds do not:
 * on two cores, tests with time limits would fail.
 */
import { availableParallelism, totalmem } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./testing/longest-first.ts";
import { quickModules } from "./tools/process/server-flags.mjs";

const minuteMs = 60_000;
/** A file that runs the program, two real n8ns and a browser. */
const fileBytes = 3 * 1024 ** 3;
/**
 * More than there are cores, because each file waits for part of its time: for the lease of a killed process, for n8n to become idle, for
 * the next poll. With twice as many, no core was ever idle, and every process waited nine tenths of its time for one. Fewer if they would
 * not fit into memory.
 */
const wholeAtOnce = Math.max(1, Math.min(Math.round(1.5 * availableParallelism()), Math.floor(totalmem() / fileBytes)));

export default defineConfig({
  test: {
    globalSetup: ["testing/start-test-postgres.ts"],
    sequence: { sequencer: LongestFirst },
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, "**/vitest.unit.config.ts"],
    environment: "node",
    execArgv: [quickModules],
    // A slow machine is not a broken one: waits in tests take longer there.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      "./vitest.unit.config.ts",
      {
        extends: true,
        test: {
          name: "whole",
          include: ["**/*.engine.test.ts", "e2e/**/*.e2e.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", "data/**"],
          globalSetup: ["testing/engines/begin-engine-installs.ts"],
          setupFiles: ["testing/engines/wait-for-engines.ts"],
          maxWorkers: wholeAtOnce,
          // As long as a page or a start may take: what is polled for waits for them.
          expect: { poll: { timeout: minuteMs } },
          testTimeout: 10 * minuteMs,
          hookTimeout: 10 * minuteMs,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
