/**
 * A Vitest reporter that stores the totals in a file, written after each test file, so that a killed run still counts. It prints each
 * failure immediately on one line, and the file keeps them for the end, because complete errors come last and their beginning is often cut
 * off.
 */
import { readFileSync, writeFileSync } from "node:fs";

const longestReason = 300;

export default class TestCounts {
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #failures = [];

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    for (const test of tests) this.#counts[keyOf(test.result().state)] += 1;
    // A file that cannot be loaded, or whose hooks fail, has no failed test of its own.
    const hasFailedTest = tests.some((test) => test.result().state === "failed");
    if (module.state() === "failed" && !hasFailedTest) this.#counts.failed += 1;
    const inHooks = [module, ...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => describe(module, suite, error)),
    );
    const inTests = tests.flatMap((test) => (test.result().errors ?? []).map((error) => describe(module, test, error)));
    this.#tell([...inHooks, ...inTests]);
    this.#write();
  }

  onTestRunEnd(_modules, unhandledErrors) {
    this.#counts.failed += unhandledErrors.length;
    this.#tell(unhandledErrors.map((error) => `outside a test: ${firstLineOf(error)}`));
    this.#write();
  }

  #tell(failures) {
    this.#failures.push(...failures);
    for (const failure of failures) console.error(`FAILED ${failure}`);
  }

  #write() {
    const file = process.env.SLIPWAY_TEST_COUNTS;
    if (file) writeFileSync(file, JSON.stringify({ ...this.#counts, failures: this.#failures }));
  }
}

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

/** What the reporter wrote, with a line for each error in `failures`; zeros if no test file finished. */
export function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [] };
  }
}
