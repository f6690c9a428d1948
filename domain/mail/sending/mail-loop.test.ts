import { eq, gt, isNotNull } from "drizzle-orm";
import { pino } from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { mails } from "#database/tables.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { startSmtpServer, type TestSmtpServer } from "#testing/network/smtp-server.ts";
import { mostAttempts, retryWaitMs } from "./deliver-mail.ts";
import { developmentInbox } from "../development-inbox.ts";
import { inboxTransport } from "./inbox-transport.ts";
import { startMailLoop, type MailLoop } from "./mail-loop.ts";
import { waitingMails } from "../mail-store.ts";
import { queueMail } from "../queue-mail.ts";
import { smtpTransport } from "./smtp-transport.ts";
import type { MailTransport } from "./transport.ts";

let database: TestDatabase;
let server: TestSmtpServer;
let loops: MailLoop[];
let nowMs: number;
/** A message that was read is answered once this resolves. */
let held: Promise<void>;
const clock = { now: () => new Date(nowMs) };
let logged: string[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });

beforeEach(async () => {
  database = await createTestDatabase();
  server = await startSmtpServer({ hold: () => held });
  loops = [];
  logged = [];
  nowMs = Date.parse("2026-11-21T10:00:00Z");
  held = Promise.resolve();
});
afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  await server.close();
  await database.close();
});

async function startLoop(transport: MailTransport = smtpTransport({ url: server.url, from: "no-reply@slipway.test" }), aheadMs = 0) {
  const theirs = { now: () => new Date(nowMs + aheadMs) };
  const notifications = createNotifications({ connection: database.connection, log });
  const loop = await startMailLoop({ db: database.db, notifications, transport, clock: theirs, log });
  loops.push(loop);
  return loop;
}

const queue = (recipient = "ada@example.com") =>
  database.db.transaction((tx) => queueMail(tx, { recipient, subject: "Hello", text: "Hello", html: "<p>Hello</p>" }, clock.now()));

async function row(id: string) {
  const [found] = await database.db.select().from(mails).where(eq(mails.id, id));
  return found;
}

const sentCount = () => database.db.$count(mails, isNotNull(mails.sentAt));

test("a queued mail is sent within moments of its commit", async () => {
  // Without sweeps, only the notification can make the loop look.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await startLoop();
  await queue();
  await expect.poll(() => server.received.length, { interval: 5 }).toBe(1);
});

test("a mail queued while no loop ran is sent at the next start", async () => {
  const id = await queue();
  await startLoop();
  await expect.poll(() => row(id)).toMatchObject({ sentAt: clock.now(), sendAt: null, attempts: 0 });
});

test("the body of a mail is deleted once a mail server has it", async () => {
  await startLoop();
  const id = await queue();
  await expect.poll(() => row(id)).toMatchObject({ sentAt: clock.now(), text: "", html: "" });
});

test("without a mail server the mail is in the development inbox, once", async () => {
  await startLoop(inboxTransport);
  await startLoop(inboxTransport);
  const id = await queue();
  await expect.poll(async () => (await developmentInbox(database.db)).map((message) => message.id)).toEqual([id]);
});

test("after a temporary failure a mail is retried after its wait, and not before", async () => {
  server.behave({ refuse: 451, at: "message" });
  const loop = await startLoop();
  const id = await queue();
  await expect
    .poll(() => row(id))
    .toMatchObject({ attempts: 1, sendAt: new Date(nowMs + 10_000), lastError: expect.stringContaining("451") });
  server.behave("accept");
  nowMs += 10_000;
  loop.wake();
  await expect.poll(() => row(id)).toMatchObject({ sentAt: clock.now(), lastError: null });
  expect(server.received.length).toBe(1);
});

test("an unreachable mail server delays the mail, but does not lose it", async () => {
  const { url } = server;
  await server.close();
  const loop = await startLoop(smtpTransport({ url, from: "no-reply@slipway.test" }));
  const id = await queue();
  await expect.poll(() => row(id)).toMatchObject({ attempts: 0, failedAt: null, lastError: expect.stringContaining("ECONNREFUSED") });
  expect(await waitingMails(database.db, clock.now())).toMatchObject({ waiting: 1 });
  server = await startSmtpServer();
  await loop.stop();
  nowMs += 10_000;
  await startLoop();
  await expect.poll(() => server.received.length).toBe(1);
});

test("a mail that never gets through is given up after its last attempt, with the reason", async () => {
  server.behave({ refuse: 451, at: "recipient" });
  const loop = await startLoop();
  const id = await queue();
  for (let attempts = 1; attempts < mostAttempts; attempts++) {
    await expect.poll(() => row(id), { interval: 5 }).toMatchObject({ attempts, sendAt: new Date(nowMs + retryWaitMs(attempts)) });
    nowMs += retryWaitMs(attempts);
    loop.wake();
  }
  await expect.poll(() => row(id)).toMatchObject({ attempts: mostAttempts, sendAt: null, failedAt: clock.now(), text: "Hello" });
  expect((await row(id))?.lastError).toContain("451");
});

test("a mail that is refused permanently is given up immediately", async () => {
  server.behave({ refuse: 550, at: "recipient" });
  await startLoop();
  const id = await queue();
  await expect.poll(() => row(id)).toMatchObject({ attempts: 1, sendAt: null, failedAt: clock.now(), sentAt: null });
});

test("a server that refuses us gets one mail at a time, ever more seldom; none is given up, and all go out once it takes mail", async () => {
  server.behave({ refuse: 530, text: "5.7.0 Authentication required", at: "sender" });
  const loop = await startLoop();
  const ids = [await queue("a@example.com"), await queue("b@example.com")];
  const held = () => database.db.$count(mails, isNotNull(mails.lastError));
  await expect.poll(held).toBeGreaterThan(0);
  await queue("c@example.com");
  // Whatever was under way when it began has failed; nothing more is tried within the wait.
  await loop.stop();
  const triedAtFirst = await held();
  expect(triedAtFirst).toBeLessThanOrEqual(2);
  expect(logged.filter((line) => line.includes("takes no mail from us")).length).toBe(1);
  const again = await startLoop();
  await expect.poll(held).toBe(3);
  for (let day = 0; day < 8; day++) {
    nowMs += 86_400_000;
    again.wake();
    await expect.poll(() => database.db.$count(mails, gt(mails.sendAt, clock.now()))).toBe(1);
  }
  expect(await row(ids[0]!)).toMatchObject({ attempts: 0, failedAt: null });
  server.behave("accept");
  // A try that was under way when the server changed its mind begins one more wait.
  const sentAMinuteLater = () => {
    nowMs += 60_000;
    again.wake();
    return sentCount();
  };
  await expect.poll(sentAMinuteLater).toBe(3);
});

test("a server that refuses every recipient without a reason costs nine mails at most, and an unambiguous refusal is final at any time", async () => {
  server.behave({ refuse: 550, text: "refused", at: "recipient" });
  await startLoop();
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    ids.push(await queue(`${count}@example.com`));
    await expect.poll(async () => (await row(ids.at(-1)!))?.lastError).toContain("refused");
  }
  expect(await database.db.$count(mails, isNotNull(mails.failedAt))).toBe(9);
  expect(await row(ids.at(-1)!)).toMatchObject({ attempts: 1, failedAt: null, sendAt: new Date(nowMs + retryWaitMs(1)) });
  server.behave({ refuse: 550, text: "5.1.1 no such user", at: "recipient" });
  const id = await queue("last@example.com");
  await expect.poll(() => row(id)).toMatchObject({ attempts: 1, failedAt: clock.now() });
});

test("several processes send each mail once", async () => {
  for (let count = 0; count < 60; count++) await queue();
  await Promise.all([startLoop(), startLoop(), startLoop()]);
  await expect.poll(sentCount, { timeout: 50_000 }).toBe(60);
  expect(server.received.length).toBe(60);
  expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(60);
});

test("a loop told to stop finishes the mail it has begun", async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  held = promise;
  const loop = await startLoop();
  const id = await queue();
  await expect.poll(() => server.readCount(), { interval: 5 }).toBe(1);
  const stopped = loop.stop();
  answer();
  await stopped;
  expect(await row(id)).toMatchObject({ sentAt: clock.now() });
  expect(server.received.length).toBe(1);
});

test("a mail that went out while the database was unavailable is recorded later, not sent again", async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  held = promise;
  const loop = await startLoop();
  const id = await queue();
  await expect.poll(() => server.readCount(), { interval: 5 }).toBe(1);
  await database.pool.query("alter table mails rename to mails_away");
  answer();
  await expect.poll(() => logged.join("")).toContain("could not be recorded yet");
  nowMs += 60_000;
  loop.wake();
  await database.pool.query("alter table mails_away rename to mails");
  await expect.poll(() => row(id)).toMatchObject({ sentAt: expect.any(Date), attempts: 0 });
  expect(server.received.length).toBe(1);
});

test("two processes whose clocks are 25 s apart send each mail once", async () => {
  const sent: string[] = [];
  const transport = (): MailTransport => ({
    keepsBody: false,
    send: async ({ id }) => {
      sent.push(id);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return "250 OK";
    },
    close: () => undefined,
  });
  const ids = await Promise.all(Array.from({ length: 40 }, () => queue()));
  const [slow, fast] = await Promise.all([startLoop(transport()), startLoop(transport(), 25_000)]);
  // Both look again and again while the other is sending.
  const looking = setInterval(() => void [slow, fast].map((loop) => loop.wake()), 5);
  await expect.poll(sentCount).toBe(ids.length);
  clearInterval(looking);
  expect(sent.toSorted()).toEqual(ids.toSorted());
});
