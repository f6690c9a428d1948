/**
 * Three kinds of tests. unit: real PostgreSQL, processes and sockets, all at once. engine: a real n8n, one after the other,
 * since each takes a core and half a gigabyte. e2e: the whole product in a real browser.
 */
import { defineConfig } from "vitest/config";

const engineTests = "**/*.engine.test.ts";
const elsewhere = ["**/node_modules/**", "**/dist/**", "data/**"];
const minuteMs = 60_000;

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
          testTimeout: minuteMs,
          hookTimeout: 2 * minuteMs,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "engine",
          include: [engineTests],
          exclude: elsewhere,
          globalSetup: ["testing/prepare-engines.ts"],
          fileParallelism: false,
          testTimeout: 3 * minuteMs,
          hookTimeout: 5 * minuteMs,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.test.ts"],
          exclude: elsewhere,
          globalSetup: ["testing/prepare-engines.ts"],
          fileParallelism: false,
          testTimeout: 5 * minuteMs,
          hookTimeout: 5 * minuteMs,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
