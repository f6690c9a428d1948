/**
 * A process in the copy that runs the tests it is asked for, one after the other: Vitest and the database of the tests start once, and only
 * what was changed is read again.
 */
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { reportRun, type RunReport } from "./run-report.ts";

export interface TestRequest {
  /** The path of the test file, and a pattern for the titles of the tests to run. */
  test: string;
  pattern: string | null;
  /** The files that have changed since the last request. */
  changed: readonly string[];
}

export type TestAnswer = { report: RunReport } | { failure: string };

const folder = process.cwd();
const vitest = await createVitest("test", { watch: false, reporters: [{}] });

async function run({ test, pattern, changed }: TestRequest): Promise<RunReport> {
  for (const file of changed) vitest.invalidateFile(join(folder, file));
  vitest.state.clearErrors();
  if (pattern === null) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(new RegExp(pattern));
  const specifications = await vitest.globTestSpecifications([test]);
  const isAsked = ({ moduleId }: { moduleId: string }): boolean => moduleId.endsWith(`/${test}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications.filter(isAsked));
  // Vitest lists the files of earlier requests, too, with the failures that they had.
  return reportRun(testModules.filter(isAsked), unhandledErrors);
}

process.on("message", (request: TestRequest) => {
  run(request).then(
    (report) => process.send!({ report } satisfies TestAnswer),
    (error: unknown) => process.send!({ failure: String(error) } satisfies TestAnswer),
  );
});
process.once("disconnect", () => void vitest.close().finally(() => process.exit()));
process.send!("ready");
