import { expect, test } from "vitest";
import type { EngineSleepingCalls } from "../../provisioner/engines/engine.ts";
import { createRefuseCall } from "./refuse-call.ts";

const calls = { read: (_method: string, url: string) => ({ path: url }), refuse: () => "page" } as unknown as EngineSleepingCalls;

test("one account's flood takes five of the lookups at a time, and leaves the others theirs", async () => {
  const answers: (() => void)[] = [];
  const refuseCall = createRefuseCall(calls, () => new Promise((resolve) => answers.push(() => resolve({} as never))));
  const flood = Array.from({ length: 200 }, () => refuseCall("noisy", "POST", "/webhook/a"));
  expect(flood.filter((answer) => answer !== null)).toHaveLength(5);
  const quiet = refuseCall("quiet", "POST", "/webhook/a");
  expect(quiet).not.toBeNull();
  for (const answer of answers) answer();
  expect(await Promise.all([...flood, quiet])).toEqual([...Array(5).fill("page"), ...Array(195).fill(null), "page"]);
  expect(refuseCall("noisy", "POST", "/webhook/a")).not.toBeNull();
});

test("all accounts together have a hundred lookups at a time", () => {
  const refuseCall = createRefuseCall(calls, () => new Promise(() => undefined));
  const asked = Array.from({ length: 150 }, (_, number) => refuseCall(`account-${number}`, "POST", "/webhook/a"));
  expect(asked.filter((answer) => answer !== null)).toHaveLength(100);
  for (const answer of asked) answer?.catch(() => undefined);
});
