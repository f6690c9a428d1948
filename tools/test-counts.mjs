/** A Vitest reporter that keeps the totals in a file, written after each test file: a run that is killed still counts. */
import { readFileSync, writeFileSync } from "node:fs";

export default class TestCounts {
  #counts = { passed: 0, failed: 0, skipped: 0 };

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    for (const test of tests) this.#counts[keyOf(test.result().state)] += 1;
    // A file that cannot be loaded, or whose hooks fail, has no failed test of its own.
    const hasFailedTest = tests.some((test) => test.result().state === "failed");
    if (module.state() === "failed" && !hasFailedTest) this.#counts.failed += 1;
    this.#write();
  }

  onTestRunEnd(_modules, unhandledErrors) {
    this.#counts.failed += unhandledErrors.length;
    this.#write();
  }

  #write() {
    const file = process.env.SLIPWAY_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(this.#counts));
  }
}

/** A test that never finished ("pending") counts as failed. */
function keyOf(state) {
  return state === "pending" ? "failed" : state;
}

/** What the reporter wrote; zeros if no test file finished. */
export function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
