/**
 * The order of test files: the longest start first, so that the run does not end with a wait for one file. Files that share a process follow
 * each other: Vitest ends a shared process as soon as the next file in line needs another one, and the next shared file would import
 * everything again, for 2 s of CPU. In `npm test` that happened 25 times.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { fileSeconds, usualSeconds } from "../tools/tests/file-seconds.mjs";

/** By the time that a kept run measured; others in the runner's order: by their last measured time, else by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return lineUp(await super.sort(files), {
      secondsOf: ({ moduleId }) => fileSeconds(moduleId),
      sharesProcess: ({ project }) => !project.config.isolate,
    });
  }
}

/** First the long files that have a process each, then those that share processes; the short ones fill the end, each kind the longest first. */
export function lineUp<File>(
  files: readonly File[],
  { secondsOf, sharesProcess }: { secondsOf: (file: File) => number; sharesProcess: (file: File) => boolean },
): File[] {
  const longestFirst = files.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  const separate = longestFirst.filter((file) => !sharesProcess(file));
  const isLong = (file: File) => secondsOf(file) > usualSeconds;
  return [...separate.filter(isLong), ...longestFirst.filter(sharesProcess), ...separate.filter((file) => !isLong(file))];
}
