/** What a run of tests says, small enough to be sent to another process. */
import type { TestCase, TestModule } from "vitest/node";

interface TestReport {
  name: string;
  state: "passed" | "failed" | "skipped";
  /** A hook before or after the test failed, not the test. */
  inHook: boolean;
  errors: { name: string; message: string }[];
}

export interface RunReport {
  tests: TestReport[];
  /** Errors of files, of hooks for several tests, and of no test at all. */
  outside: string[];
}

const firstLine = (text: unknown): string => String(text).split("\n", 1)[0]!.slice(0, 300);
const messageOf = (error: unknown): string => firstLine((error as { message?: unknown } | null)?.message ?? error);

export function reportRun(modules: readonly TestModule[], unhandled: readonly unknown[]): RunReport {
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  return {
    tests: modules.flatMap((module) => [...module.children.allTests()].map(reportTest)),
    outside: [...suites.flatMap((suite) => suite.errors()), ...unhandled].map(messageOf),
  };
}

function reportTest(test: TestCase): TestReport {
  const { state, errors = [] } = test.result();
  // Vitest has no public name for this. A hook's state stays at "run" when it throws.
  const { task } = test as unknown as { task: { result?: { hooks?: Record<string, string> } } };
  return {
    name: test.fullName,
    state: state === "pending" ? "failed" : state,
    inHook: Object.values(task.result?.hooks ?? {}).includes("run"),
    errors: errors.map((error) => ({ name: error.name ?? "Error", message: messageOf(error) })),
  };
}
