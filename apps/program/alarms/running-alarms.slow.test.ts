/** Alarms of a running program, and of one that cannot start. */
import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startAnswering } from "#testing/network/start-answering.ts";
import { findFreePort, prepareSlipway } from "#testing/program/start-slipway.ts";
import type { AlarmBody } from "./send-notice.ts";

test("a program that cannot start says so once however often it is restarted, and a running one raises its own alarms", async () => {
  await using receiver = await startAnswering((response) => void response.writeHead(200).end());
  const told = () => receiver.asked.map(({ body }) => JSON.parse(body) as AlarmBody).map(({ kind, event }) => `${kind} ${event}`);
  const port = await findFreePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  // No disk has as much free, so this one is below its floor.
  await using slipway = await prepareSlipway({ port, env: { ALERTS_URL: `${receiver.url}/hook`, HOST_DISK_FLOOR_MB: "16777216" } });
  for (let starts = 0; starts < 2; starts += 1) {
    slipway.launchProgram();
    expect((await slipway.ended()).code).toBe(1);
  }
  expect(told()).toEqual(["cannot-start began"]);
  other.close();
  await once(other, "close");
  slipway.launchProgram();
  await expect.poll(told, { timeout: 120_000, interval: 500 }).toEqual(["cannot-start began", "cannot-start over", "disk-low began"]);
  const [trouble, , disk] = receiver.asked.map(({ body }) => JSON.parse(body) as AlarmBody);
  expect(trouble!.detail).toContain(String(port));
  expect(disk!.detail).toMatch(/^Host main: \d+ MB are free, 0 days are left\.$/);
  expect(receiver.asked.every(({ method, path }) => method === "POST" && path === "/hook")).toBe(true);
});
