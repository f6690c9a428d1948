/**
 * Three kinds of tests. unit: real PostgreSQL, processes and sockets, one file to a core. engine: a real n8n. e2e: the whole
 * product in a real browser. Of the last two, two files at once: each takes more than a core while something boots or draws,
 * and next to none while it waits, for the lease of a killed process for example.
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const engineTests = "**/*.engine.test.ts";
const elsewhere = ["**/node_modules/**", "**/dist/**", "data/**"];
const minuteMs = 60_000;
/** Vitest's own choice is one less, which on two cores is one file at a time. */
const unitFilesAtOnce = Math.max(2, availableParallelism());
/** Each has a gigabyte and a half at most: an n8n and a browser. */
const wholeFilesAtOnce = 2;
const wholeSetUp = { globalSetup: ["testing/begin-engine-installs.ts"], setupFiles: ["testing/wait-for-engines.ts"], maxWorkers: wholeFilesAtOnce };

export default defineConfig({
  test: {
    globalSetup: ["testing/start-test-postgres.ts"],
    environment: "node",
    // A machine that is slow is not broken: what a test waits for comes later there.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.{ts,tsx,mjs}"],
          exclude: [...elsewhere, engineTests, "e2e/**"],
          maxWorkers: unitFilesAtOnce,
          testTimeout: minuteMs,
          hookTimeout: 2 * minuteMs,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...wholeSetUp,
          name: "engine",
          include: [engineTests],
          exclude: elsewhere,
          testTimeout: 3 * minuteMs,
          hookTimeout: 5 * minuteMs,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...wholeSetUp,
          name: "e2e",
          include: ["e2e/**/*.e2e.test.ts"],
          exclude: elsewhere,
          testTimeout: 5 * minuteMs,
          hookTimeout: 5 * minuteMs,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
