/** What Vitest's run of one test file says about a break. */
import type { RunReport } from "./run-report.ts";

export interface Verdict {
  isProved: boolean;
  /** What the test said, or why this proves nothing. */
  says: string;
}

/** In a test with a browser, waiting in vain for what a page should show is the assertion. */
const inVain = "TimeoutError";
export const isPanelTest = (test: string): boolean => test.endsWith(".panel.test.ts");

/**
 * Proved if an assertion of the named test failed. A file that cannot be loaded, a hook that fails and an error on the way to the assertion
 * prove nothing: they would come from any line that is broken.
 */
export function judgeRun({ tests, outside }: RunReport, { test, title }: { test: string; title?: string }): Verdict {
  const named = tests.filter(({ name, state }) => state !== "skipped" && (title === undefined || titlePattern(title).test(name)));
  if (outside.length > 0) return { isProved: false, says: `outside the test: ${outside[0]!}` };
  if (named.length === 0) return { isProved: false, says: "no test of this title ran" };
  const failed = named.filter(({ state }) => state === "failed");
  if (failed.length === 0) return { isProved: false, says: "the test stays green" };
  const errors = failed.flatMap(({ inHook, errors: each }) => (inHook ? [] : each));
  const assertion = errors.find(({ name }) => name === "AssertionError" || (name === inVain && isPanelTest(test)));
  if (assertion) return { isProved: true, says: assertion.message };
  const other = failed[0]!.errors[0];
  return { isProved: false, says: `failed without an assertion: ${other?.name ?? "a hook"}: ${other?.message ?? ""}` };
}

/** A title's placeholders (`%s`, `$field`) are any text. */
export function titlePattern(title: string): RegExp {
  const parts = title.split(/%[sdifjo#]|%%|\$[A-Za-z_.]+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join(".*"), "s");
}
