import { expect, onTestFinished, test } from "vitest";
import { followDatabase } from "./database-contact.ts";

test("a database that is away, and one that is back, are each logged once, with how many workspaces are served from memory", async () => {
  const said: [string, unknown][] = [];
  const note = (entry: { workspaces?: number }, text: string) => said.push([text, entry.workspaces]);
  let isAway = false;
  let asked = 0;
  const db = {
    execute: () => {
      asked += 1;
      return isAway ? Promise.reject(new Error("the database restarts")) : Promise.resolve();
    },
  };
  const contact = followDatabase({ db: db as never, log: { warn: note, info: note } as never, servesFromMemory: () => 7, everyMs: 5 });
  onTestFinished(() => contact.stop());
  const twice = async () => {
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before + 2);
  };
  await twice();
  expect([contact.awaySeconds(), contact.backSeconds()]).toEqual([0, Infinity]);
  isAway = true;
  await twice();
  expect(contact.awaySeconds()).toBeGreaterThan(0);
  isAway = false;
  await twice();
  expect(contact.awaySeconds()).toBe(0);
  expect(contact.backSeconds()).toBeLessThan(60);
  expect(said).toEqual([
    ["the database does not answer: open workspaces that were visited before are served from memory", 7],
    ["the database answers again", undefined],
  ]);
});
