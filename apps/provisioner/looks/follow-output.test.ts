import { expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import type { Driver } from "../drivers/driver.ts";
import { createOutputFollowing } from "./follow-output.ts";

test("lines that could not be sent begin another reading, which the next answer announces", async () => {
  let text = "one\n";
  let sent = 0;
  let isBroken = false;
  const execute = async () => {
    if (isBroken) throw new Error("the connection was lost");
    sent += 1;
  };
  const newLogs: Driver["newLogs"] = async (_id, mark) => ({ text: text.slice(Number(mark)), mark: String(text.length), isCut: false });
  const following = createOutputFollowing({
    db: { execute } as unknown as Database,
    driver: { newLogs } as Driver,
    log: createLog("silent"),
    everyMs: 5,
  });
  onTestFinished(() => following.stop().then(() => undefined));
  const first = await following.follow("a");
  expect(first).toMatchObject({ text: "one\n", piece: 0 });
  text += "two\n";
  await vi.waitFor(() => expect(sent).toBe(1), 20_000);
  expect(await following.follow("a")).toMatchObject({ following: first!.following, piece: 1 });

  isBroken = true;
  text += "three\n";
  const after = await vi.waitFor(async () => {
    const now = await following.follow("a");
    expect(now!.text).toBe("one\ntwo\nthree\n");
    return now!;
  }, 20_000);
  expect(after.following).not.toBe(first!.following);
  expect(after.piece).toBe(0);
  isBroken = false;
  text += "four\n";
  await vi.waitFor(() => expect(sent).toBe(2), 20_000);
  expect(await following.follow("a")).toMatchObject({ following: after.following, piece: 1 });
});

test("a hanging host is asked once until it answers, and reading then continues", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const hanging = Promise.withResolvers<void>();
  let asked = 0;
  const newLogs: Driver["newLogs"] = async () => {
    asked += 1;
    await hanging.promise;
    return { text: "late\n", mark: "1", isCut: false };
  };
  const following = createOutputFollowing({ db: {} as Database, driver: { newLogs } as Driver, log: createLog("silent") });
  const first = following.follow("a").catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await first).toBe("TookTooLong");
  expect(await following.follow("a").catch((error: Error) => error.name)).toBe("TookTooLong");
  expect(asked).toBe(1);
  hanging.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(await following.follow("a")).toMatchObject({ text: "late\n" });
  expect(asked).toBe(2);
  await following.stop();
});
