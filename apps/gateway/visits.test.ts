import { expect, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import { startVisits } from "./visits.ts";

test("each visited workspace is saved once per interval; what could not be saved is saved later, and the rest at the end", async () => {
  const saved: string[][] = [];
  let isDown = true;
  const save = async (ids: readonly string[]) => {
    if (isDown) throw new Error("the database does not answer");
    saved.push([...ids]);
  };
  const visits = startVisits({ save, log: createLog("silent"), saveEveryMs: 20 });
  for (const id of ["one", "two", "one"]) visits.note(id);
  await new Promise((resolve) => setTimeout(resolve, 60));
  isDown = false;
  await vi.waitFor(() => expect(saved.map((ids) => ids.toSorted())).toEqual([["one", "two"]]), 20_000);
  visits.note("three");
  await visits.stop();
  expect(saved.at(-1)).toEqual(["three"]);
});
