/**
 * The kinds of tests, by the end of their names. `npm test` runs those that need no luck; `npm run test:all` adds
 * the others. Several files run in parallel, the longest first. In `npm run test:all` the kinds with a browser or a real engine follow the
 * others: on two cores they would only slow each other down.
 */
import { availableParallelism, totalmem } from "node:os";
import { defineConfig, type TestProjectConfiguration, type TestProjectInlineConfiguration } from "vitest/config";
import { missingForCluster } from "./testing/cluster/cluster-tools.ts";
import { whyNoContainers } from "./testing/containers/start-service.ts";
import { LongestFirst } from "./testing/longest-first.ts";
import { quickModules } from "./tools/process/server-flags.mjs";

const minuteMs = 60_000;
/**
 * Tests whose subject keeps no state between calls: one process runs these files one after the other and reuses what it has imported. Every
 * other file has a separate process: the panel's modules have state, and the gateway's and drivers' tests look at their process's memory,
 * clock and files.
 */
const stateless =
  "{contract,database,docs,domain,payments,platform,testing,apps/{api,ops},apps/provisioner/{backups,exports,reconcile,updates}}/**/*.test.ts";
const slow = "**/*.slow.test.{ts,mjs}";
const panel = "**/*.panel.test.ts";
const story = "**/*.story.test.ts";
const cluster = "**/*.cluster.test.ts";
const container = "**/*.container.test.ts";
const whole = ["**/*.engine.test.ts", "**/*.e2e.test.ts"];
const noTests = ["**/node_modules/**", "**/dist/**", "data/**"];
const otherKinds = [...noTests, slow, panel, story, cluster, container, ...whole];

/**
 * Vitest's default is one less than the number of cores, which on two cores is one file at a time. One more is much faster, because tests
 * that kill processes and wait for leases leave cores idle: on two cores 361 s, compared with 670 s.
 */
const filesAtOnce = availableParallelism() + 1;
/** A file that runs the program, two real n8ns and a browser. */
const wholeFileBytes = 3 * 1024 ** 3;
/**
 * More than there are cores, because each file waits for part of its time: for the lease of a killed process, for n8n to become idle, for
 * the next poll. With twice as many, no core was ever idle, and every process waited nine tenths of its time for one. Fewer if they would
 * not fit into memory.
 */
const wholeAtOnce = Math.max(1, Math.min(Math.round(1.5 * availableParallelism()), Math.floor(totalmem() / wholeFileBytes)));

/** What a run is asked for: the kinds that need no luck, or all of them. An editor that starts one test gets all. */
const asked = process.env["SLIPWAY_TEST_KINDS"] ?? "all";
const quick = ["stateless", "alone", "panel", "story"];
/** Why this machine cannot run a kind; the kind is then left out of the run, which is reported. */
const missing: Record<string, string | undefined> = asked === "all" ? { cluster: missingForCluster(), container: whyNoContainers() } : {};
for (const [kind, why] of Object.entries(missing)) if (why !== undefined) console.warn(`The tests with a ${kind} are left out: ${why}.`);

/** Only a test that hangs reaches these; one that promises a time measures it. The longest takes four minutes on a busy machine. */
const unitLimits = { testTimeout: 15 * minuteMs, hookTimeout: 15 * minuteMs, expect: { poll: { timeout: 20_000 } } };
/** As long as a page or a start may take: what is polled for waits for them. */
const pageLimits = { testTimeout: 10 * minuteMs, hookTimeout: 10 * minuteMs, expect: { poll: { timeout: minuteMs } } };
const withEngines = {
  globalSetup: ["testing/engines/begin-engine-installs.ts"],
  setupFiles: ["testing/engines/wait-for-engines.ts"],
};
/** Of the two files with a cluster one waits for it, and the other for its turn. */
const first = { maxWorkers: filesAtOnce + (missing["cluster"] === undefined ? 2 : 0), sequence: { groupOrder: 0 } };
const second = { maxWorkers: wholeAtOnce, sequence: { groupOrder: 1 } };
/** A worker of `npm test`, and the browser that half of them start; the two files with a real engine take more. */
const quickFileBytes = 1.5 * 1024 ** 3;
/**
 * Without programs and engines in most files, browsers fill the time in which units wait, and units that in which pages do. Three for each
 * core: with two, the cores were idle for two fifths of the run.
 */
const quickAtOnce = Math.max(2, Math.min(3 * availableParallelism(), Math.floor(totalmem() / quickFileBytes)));
const together = { maxWorkers: quickAtOnce, sequence: { groupOrder: 0 } };

type Kind = NonNullable<TestProjectInlineConfiguration["test"]>;

const kinds: Record<string, Kind> = {
  stateless: { include: [stateless], exclude: otherKinds, isolate: false, ...unitLimits, ...first },
  alone: { include: ["**/*.test.{ts,tsx,mjs}"], exclude: [...otherKinds, stateless], ...unitLimits, ...first },
  slow: { include: [slow], exclude: noTests, ...unitLimits, ...first },
  // With the units, not with the browsers: each pod adds an address to this machine, and Chromium then aborts what it is loading.
  cluster: { include: [cluster], exclude: noTests, ...unitLimits, ...first },
  container: { include: [container], exclude: noTests, ...unitLimits, ...first },
  panel: { include: [panel], exclude: noTests, ...pageLimits, ...second },
  story: { include: [story], exclude: noTests, ...withEngines, ...pageLimits, ...second },
  whole: { include: whole, exclude: noTests, ...withEngines, ...pageLimits, ...second },
};

export default defineConfig({
  test: {
    globalSetup: ["testing/start-test-postgres.ts"],
    sequence: { sequencer: LongestFirst },
    environment: "node",
    execArgv: [quickModules],
    projects: Object.entries(kinds)
      .filter(([name]) => (asked === "all" ? missing[name] === undefined : quick.includes(name)))
      .map(([name, kind]): TestProjectConfiguration => ({ extends: true, test: { name, ...kind, ...(asked !== "all" && together) } })),
  },
});
