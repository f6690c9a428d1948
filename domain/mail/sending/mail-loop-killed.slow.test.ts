import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mails } from "#database/tables.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { startSmtpServer, type TestSmtpServer } from "#testing/network/smtp-server.ts";
import type { MailProcess } from "#testing/program/mail-process.ts";
import { queueMail } from "../queue-mail.ts";
import { quickModules } from "../../../tools/process/server-flags.mjs";

const rounds = 20;
const mailsPerRound = 25;
/** At most this many mails are between the message's end and our commit when a process dies. */
const sendingAtOnce = 5;
/** The test server takes up to 20 ms; our commit after its 250 took up to 90 ms where eight processes shared two cores. */
const leastWindowMs = 1_000;

let database: TestDatabase;
let server: TestSmtpServer;
let sender: ChildProcess | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startSmtpServer({ answerAfterMs: () => 2 + Math.random() * 18 });
});
afterAll(async () => {
  sender?.kill("SIGKILL");
  await server.close();
  await database.close();
});

const nowMs = () => performance.timeOrigin + performance.now();
const pause = (upToMs: number) => delay(Math.random() * upToMs);

function startSender(round: number): ChildProcess {
  const settings: MailProcess = { connection: database.connection, smtpUrl: server.url, aheadMs: round };
  const file = fileURLToPath(new URL("../../../testing/program/mail-process.ts", import.meta.url));
  sender = spawn(process.execPath, [quickModules, file, JSON.stringify(settings)], { stdio: ["ignore", "ignore", "inherit"] });
  return sender;
}

/** Between these two moments a sender dies, and what it has sent by then arrives. */
type Death = readonly [fromMs: number, toMs: number];

/** Runs a sender until it has sent something, then kills it midway; returns when. */
async function killMidway(round: number): Promise<Death> {
  const before = server.readCount();
  const child = startSender(round);
  await expect.poll(() => server.readCount(), { interval: 2, timeout: 60_000 }).toBeGreaterThan(before);
  await pause(80);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  const killedAtMs = nowMs();
  await exited;
  await expect.poll(() => server.received.length).toBe(server.readCount());
  // Its leases end after 20 s; the test does not wait for that.
  const over = "clock_timestamp() - interval '1 second'";
  await database.pool.query(
    `update mails set lease_until = ${over}, send_at = ${over} where send_at is not null and lease_until is not null`,
  );
  return [killedAtMs, nowMs()];
}

const unsentCount = async () => (await database.db.$count(mails)) - (await database.db.$count(mails, isNotNull(mails.sentAt)));

test("killed with -9 at any moment, it loses no mail and repeats only those in flight at that moment", async () => {
  const deathsMs: Death[] = [];
  const beganMs = nowMs();
  for (let round = 0; round < rounds; round++) {
    for (let count = 0; count < mailsPerRound; count++) {
      await queueMail(
        database.db,
        { recipient: "ada@example.com", subject: `Mail ${round}.${count}`, text: "Hello", html: "<p>Hello</p>" },
        new Date(),
      );
    }
    deathsMs.push(await killMidway(round));
  }
  // Where a round takes long, because the machine is busy, so does a commit.
  const windowMs = Math.max(leastWindowMs, (nowMs() - beganMs) / rounds / 3);
  const last = startSender(rounds);
  await expect.poll(unsentCount, { timeout: 60_000 }).toBe(0);
  last.kill("SIGTERM");
  await once(last, "exit");

  const copies = Map.groupBy(server.received, ({ messageId }) => messageId);
  expect(copies.size).toBe(rounds * mailsPerRound);
  const accepted = [...copies.values()].map((received) => received.map(({ acceptedAtMs }) => acceptedAtMs));
  // Every copy but the last was accepted while a process died; otherwise something other than a kill duplicated it.
  const early = accepted.flatMap((times) => times.slice(0, -1));
  const sinceAcceptedMs = early.map((time) => Math.min(...deathsMs.map(([from, to]) => Math.max(from - time, time - to, 0))));
  expect(sinceAcceptedMs.filter((ms) => ms > windowMs)).toEqual([]);
  expect(early.length).toBeLessThanOrEqual(rounds * sendingAtOnce);
});
