/** The order of test files: the longest start first, so that the run does not end with a wait for one file. */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { fileSeconds } from "../tools/tests/file-seconds.mjs";

/** By the time that a kept run measured; others in the runner's order: by their last measured time, else by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => fileSeconds(b.moduleId) - fileSeconds(a.moduleId));
  }
}
