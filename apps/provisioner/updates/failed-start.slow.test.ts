import { expect, test } from "vitest";
import { rollBackFailedStart } from "#testing/drivers/failed-update-scene.ts";
import { makeProcessHarness } from "#testing/drivers/process-harness.ts";

test("an update to a version whose process does not start is rolled back, with the files from before", async () => {
  const harness = await makeProcessHarness();
  try {
    const { lines } = await rollBackFailedStart(harness);
    expect(lines.map(({ event }) => event)).toEqual(["start-failed", "update-rolled-back"]);
  } finally {
    await harness.close();
  }
});
