import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Break } from "./break.ts";
import { isPanelTest, judgeRun, titlePattern, type Verdict } from "./judge-run.ts";
import type { RunReport } from "./run-report.ts";
import type { ScratchCopy } from "./scratch-copy.ts";
import type { TestAnswer, TestRequest } from "./serve-tests.ts";

/** A broken line may let a test wait for what never happens; the slowest test that notices takes two minutes on a busy machine. */
const limitMs = 5 * 60_000;

/**
 * Tests with a browser wait three minutes for what a page should show. Here they wait this long, and each passes with it once before
 * anything is broken, so that a page that is only slow proves nothing.
 */
const patience = { file: "testing/browser/chromium.ts", line: "pageTimeoutMs = 180_000", by: "pageTimeoutMs = 30_000" };

export interface Prover extends AsyncDisposable {
  /** Breaks the line in the copy, runs the named test there, and mends the line. */
  prove(each: Break): Promise<Verdict>;
}

/** Works in this copy from now on. */
export function createProver(copy: ScratchCopy): Prover {
  copy.replace(patience.file, patience.line, patience.by);
  const controls = new Map<string, Promise<string | null>>();
  let server: ChildProcess | undefined;
  let changed: string[] = [];

  async function runTest(test: string, title: string | undefined): Promise<RunReport | string> {
    if (isPanelTest(test)) {
      const refusal = await buildPanel(copy.folder);
      if (refusal !== null) return refusal;
    }
    server ??= await startServer(copy.folder);
    const request: TestRequest = { test, pattern: title === undefined ? null : titlePattern(title).source, changed };
    changed = [];
    const running = server;
    const over = new AbortController();
    const { signal } = over;
    const timer = setTimeout(() => running.kill("SIGTERM"), limitMs);
    running.send(request);
    const answer = await Promise.race([
      once(running, "message", { signal }).then(([message]) => message as TestAnswer),
      once(running, "exit", { signal }).then(() => null),
    ]);
    clearTimeout(timer);
    over.abort();
    if (answer === null) server = undefined;
    if (answer === null) return `the run was ended after ${limitMs / 60_000} minutes, or ended itself`;
    return "report" in answer ? answer.report : answer.failure;
  }

  /** Why the test of an unbroken panel proves nothing here; null if it passes. */
  async function passUnbroken({ test, title }: Break): Promise<string | null> {
    const report = await runTest(test, title);
    if (typeof report === "string") return report;
    const error = report.outside[0] ?? report.tests.flatMap(({ errors }) => errors)[0]?.message;
    return error === undefined ? null : `it fails without the break, too: ${error}`;
  }

  return {
    async prove(each) {
      const { file, line, by, test, title } = each;
      if (isPanelTest(test)) {
        const key = `${test} ${title}`;
        const control = controls.get(key) ?? passUnbroken(each);
        controls.set(key, control);
        const says = await control;
        if (says !== null) return { isProved: false, says };
      }
      const mend = copy.replace(file, line, by);
      changed.push(file);
      try {
        const report = await runTest(test, title);
        return typeof report === "string" ? { isProved: false, says: report } : judgeRun(report, each);
      } finally {
        mend();
        changed.push(file);
      }
    },
    async [Symbol.asyncDispose]() {
      if (!server) return;
      const ended = once(server, "exit");
      server.disconnect();
      await ended;
    },
  };
}

async function startServer(folder: string): Promise<ChildProcess> {
  const server = fork(join(folder, "tools/prove/serve-tests.ts"), { cwd: folder, env: { ...process.env, SLIPWAY_TEST_KINDS: "all" } });
  const isReady = await Promise.race([once(server, "message").then(() => true), once(server, "exit").then(() => false)]);
  if (!isReady) throw new Error("Vitest did not start.");
  return server;
}

/** Builds the panel if the break is one of its files; why it could not be built, or null. */
async function buildPanel(cwd: string): Promise<string | null> {
  const build = `await (await import("./tools/set-up/build-web.mjs")).buildWeb(process.execPath)`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", build], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0 ? null : `the panel does not build: ${output.trim().slice(-200)}`;
}
