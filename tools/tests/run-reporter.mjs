/**
 * The reporter of `npm test` and `npm run test:all`: says what runs, how far it is and how long it still takes; prints failed files alone,
 * each failure immediately on one line; and keeps the totals of each file in a JSON file, written after each, so that a killed run still
 * counts.
 */
import { writeFileSync } from "node:fs";
import { DefaultReporter } from "vitest/node";
import { sumOf } from "./counts.mjs";
import { fileSeconds } from "./file-seconds.mjs";

const longestReason = 300;
/** Without a terminal, whose lines are drawn anew: no output looks like a hang. */
const progressMs = 20_000;
/** A run of a few files lists them all. */
const fewFiles = 20;
const shownRunning = 4;

export default class RunReporter extends DefaultReporter {
  #counts = { files: {}, outside: 0, failures: [] };
  #running = new Map();
  #weights = new Map();
  #doneWeight = 0;
  #timer;
  #startedAt = performance.now();

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    for (const { moduleId } of specifications) this.#weights.set(moduleId, fileSeconds(moduleId));
    if (!this.isTTY && specifications.length > fewFiles) this.#timer = setInterval(() => this.#tellProgress(), progressMs).unref();
  }

  onTestModuleStart(module) {
    this.#running.set(module.moduleId, performance.now());
  }

  onTestModuleEnd(module) {
    super.onTestModuleEnd(module);
    const startedAt = this.#running.get(module.moduleId) ?? performance.now();
    this.#running.delete(module.moduleId);
    this.#doneWeight += this.#weights.get(module.moduleId) ?? 0;
    const tests = [...module.children.allTests()];
    const counts = { passed: 0, failed: 0, skipped: 0, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
    for (const test of tests) counts[keyOf(test.result().state)] += 1;
    // A file that cannot be loaded, or whose hooks fail, has no failed test of its own.
    if (module.state() === "failed" && counts.failed === 0) counts.failed += 1;
    this.#counts.files[module.relativeModuleId] = counts;
    const inHooks = [module, ...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => describe(module, suite, error)),
    );
    const inTests = tests.flatMap((test) => (test.result().errors ?? []).map((error) => describe(module, test, error)));
    this.#tell([...inHooks, ...inTests]);
    this.#write();
  }

  /** Of thousands of tests, a reader wants those that failed. */
  printTestModule(module) {
    if (module.state() === "failed" || this.#weights.size <= fewFiles) super.printTestModule(module);
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    clearInterval(this.#timer);
    super.onTestRunEnd(modules, unhandledErrors, reason);
    this.#counts.outside = unhandledErrors.length;
    this.#tell(unhandledErrors.map((error) => `outside a test: ${firstLineOf(error)}`));
    this.#write();
  }

  #tell(failures) {
    this.#counts.failures.push(...failures);
    for (const failure of failures) console.error(`FAILED ${failure}`);
  }

  #tellProgress() {
    const done = Object.keys(this.#counts.files).length;
    const { passed, failed } = sumOf(this.#counts.files);
    const running = [...this.#running].map(([id, at]) => `${id.split("/").at(-1)} ${clock(performance.now() - at)}`).slice(0, shownRunning);
    const parts = [`${done} of ${this.#weights.size} files`, `${passed} passed`, `${failed} failed`, this.#remaining()].filter(Boolean);
    console.log(`${clock(performance.now() - this.#startedAt)}  ${parts.join(", ")}. Running: ${running.join(", ") || "none"}`);
  }

  /** By what the files took elsewhere, and how quickly this run gets through them. */
  #remaining() {
    const total = [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0);
    const running = [...this.#running].map(([id, at]) => Math.min(this.#weights.get(id) ?? 0, (performance.now() - at) / 1000));
    const done = running.reduce((sum, seconds) => sum + seconds, this.#doneWeight);
    if (done < total / 20) return undefined;
    const elapsed = performance.now() - this.#startedAt;
    const minutes = Math.ceil((elapsed * (total - done)) / done / 60_000);
    return `about ${minutes} min left`;
  }

  #write() {
    const file = process.env.SLIPWAY_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(this.#counts));
  }
}

const clock = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/** `at` is the test, suite or file with the error. */
function describe(module, at, error) {
  return `${module.relativeModuleId}${at === module ? "" : ` > ${at.fullName}`}: ${firstLineOf(error)}`;
}

function firstLineOf({ message }) {
  return String(message).split("\n", 1)[0].slice(0, longestReason);
}

/** A test that never finished ("pending") counts as failed. */
function keyOf(state) {
  return state === "pending" ? "failed" : state;
}
