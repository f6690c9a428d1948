import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { accounts, fleetUpdates, hosts, mails, workspaces } from "#database/tables.ts";
import { noteDown } from "#domain/signals/down-store.ts";
import { changeObservations, withCheck, withHost } from "#domain/signals/observation-store.ts";
import { mostAttempts } from "#domain/mail/sending/deliver-mail.ts";
import { smtpTransport } from "#domain/mail/sending/smtp-transport.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { startAnswering } from "#testing/network/start-answering.ts";
import { startSmtpServer } from "#testing/network/smtp-server.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { alarmKinds } from "./alarm-kinds.ts";
import { createLocalAlarm } from "./local-alarm.ts";
import { readConditions } from "./read-conditions.ts";
import { sendNotice, describeNotice, type AlarmBody, type AlarmChannels } from "./send-notice.ts";
import { goneAfterSeconds, lookForAlarms, type AlarmOptions } from "./start-alarms.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    "begin; set local slipway.changing_money = 'on'; truncate accounts, mails, provider_events, hosts, service_state cascade; commit",
  );
});

const log = createLog("silent");
const begin = new Date("2026-03-02T12:00:00Z");
const service = "https://app.example.com";

/** A service with a receiver of webhooks, looked at by `look(atMs)` as by any of its processes. */
async function watched(more: Partial<AlarmOptions> = {}) {
  let status = 204;
  const receiver = await startAnswering((response) => void response.writeHead(status).end());
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const channels: AlarmChannels = { url: `${receiver.url}/hook/secret-token`, to: [], mail: null, service, log };
  const contact = { awaySeconds: () => 0 };
  const look = (atMs: number) =>
    lookForAlarms({ db: database.db, clock: { now: () => after(begin, atMs) }, log, channels, contact, databaseAlarm: null, ...more });
  const told = () => receiver.asked.splice(0).map(({ body }) => JSON.parse(body) as AlarmBody);
  return { channels, look, told, answers: (code: number) => void (status = code) };
}

let number = 0;
async function addWorkspaces(count: number, state: "online" | "offline") {
  for (let index = 0; index < count; index += 1) {
    const [id, accountId] = [newId(), newId()];
    await database.db.insert(accounts).values({ id: accountId, name: `alarm-${(number += 1)}`, createdAt: begin });
    await database.db.insert(workspaces).values({
      id,
      accountId,
      engine: "n8n",
      desiredState: "running",
      desiredVersion: "1",
      timezone: "Etc/UTC",
      memoryMb: 512,
      secrets: "-",
      observedState: state,
      ownerSetUpAt: begin,
      createdAt: begin,
      updatedAt: begin,
    });
  }
}
const setState = (state: string) => database.db.execute(sql`update workspaces set observed_state = ${state}`);

test("a workspace that is down for 15 minutes is told once by two processes, reminded of daily, and told to be over once", async () => {
  const { look, told } = await watched();
  await addWorkspaces(1, "offline");
  await look(0);
  await look(14 * minuteMs);
  expect(told()).toEqual([]);
  await Promise.all([look(16 * minuteMs), look(16 * minuteMs), look(16 * minuteMs)]);
  const [began, ...others] = told();
  expect(others).toEqual([]);
  expect(began).toMatchObject({
    event: "began",
    kind: "workspace-down",
    title: alarmKinds["workspace-down"].title,
    runbook: "docs/runbooks/alerts.md#slipwayworkspacedown",
    service,
    since: after(begin, 16 * minuteMs).toISOString(),
  });
  expect(began!.detail).toMatch(/^1 of 1: alarm-\d+\.$/);
  expect(began!.text).toContain("npm run ops -- workspace NAME");
  for (const hour of [1, 12, 23]) await look(hour * hourMs);
  expect(told()).toEqual([]);
  await Promise.all([look(25 * hourMs), look(25 * hourMs)]);
  expect(told()).toMatchObject([{ event: "reminder", id: began!.id }]);
  await setState("online");
  await look(26 * hourMs);
  await look(26 * hourMs + 2 * minuteMs);
  expect(told()).toEqual([]);
  await Promise.all([look(26 * hourMs + 6 * minuteMs), look(26 * hourMs + 6 * minuteMs)]);
  expect(told()).toMatchObject([{ event: "over", id: began!.id }]);
  await look(30 * hourMs);
  expect(told()).toEqual([]);
});

test("what is over for a moment is not told to be over, and begins no second alarm", async () => {
  const { look, told } = await watched();
  const setFree = (freeMb: number, atMs: number) => {
    const reading = { host: "main", resources: { disk: { freeMb, floorMb: 1_000 } }, overdue: [] };
    return changeObservations(database.db, (known) => withHost(known, reading, after(begin, atMs)));
  };
  for (const [minute, freeMb] of [900, 5_000, 5_000, 900, 900, 5_000, 5_000].entries()) {
    await setFree(freeMb, minute * minuteMs);
    await look(minute * minuteMs);
  }
  expect(told()).toMatchObject([{ event: "began", kind: "disk-low" }]);
  await look(11 * minuteMs);
  expect(told()).toMatchObject([{ event: "over" }]);
});

test("a notice that no channel accepts is tried again after a pause, and by a restarted process", async () => {
  const { look, told, answers } = await watched();
  await addWorkspaces(2, "offline");
  await look(0);
  answers(500);
  await look(16 * minuteMs);
  expect(told().map(({ kind }) => kind)).toEqual(["workspace-down", "many-workspaces-down"]);
  await look(16.5 * minuteMs);
  expect(told()).toEqual([]);
  answers(200);
  await look(18 * minuteMs);
  expect(told()).toMatchObject([{ event: "began" }, { event: "began" }]);
  await look(19 * minuteMs);
  expect(told()).toEqual([]);
});

test("each of the conditions is found, with what an operator needs, and none in a service that is well", async () => {
  const { db } = database;
  await addWorkspaces(120, "online");
  await noteDown(db, begin);
  await db.insert(hosts).values({ name: "main", seenAt: sql`clock_timestamp()` });
  const well = { host: "main", resources: { disk: { freeMb: 50_000, floorMb: 1_000 } }, overdue: [] };
  await changeObservations(db, (known) => withCheck(withHost(known, well, begin), "storage", null, begin));
  await db.execute(sql`insert into service_state select 'dumped at', to_jsonb(${begin.toISOString()}::text)`);
  expect(await readConditions(db, begin)).toEqual([]);

  const later = after(begin, 20 * minuteMs);
  await db.execute(sql`update workspaces set observed_state = 'offline' where id in (select id from workspaces limit 1)`);
  await noteDown(db, begin);
  expect((await readConditions(db, later)).map(({ kind }) => kind)).toEqual(["workspace-down", "worker-silent"]);
  await db.execute(sql`update workspaces set observed_state = 'offline' where id in (select id from workspaces order by id desc limit 7)`);
  await noteDown(db, begin);
  await db.insert(mails).values({
    id: newId(),
    recipient: "a@example.com",
    subject: "s",
    text: "t",
    html: "h",
    createdAt: begin,
    failedAt: begin,
    attempts: mostAttempts,
  });
  await db.execute(sql`insert into provider_events (provider, event_id, kind, type, occurred_at, received_at, attempts)
    values ('stripe', 'e', 'k', 't', ${begin.toISOString()}::timestamptz, ${begin.toISOString()}::timestamptz, 30)`);
  await db.execute(sql`update workspaces set owner_set_up_at = ${after(begin, -9 * dayMs).toISOString()}::timestamptz
    where id in (select id from workspaces where observed_state = 'online' limit 1)`);
  await db.insert(fleetUpdates).values({
    id: newId(),
    engine: "n8n",
    toVersion: "2.40.7",
    state: "stopped",
    stopReason: "acme crashed after its update",
    stoppedAt: begin,
    waves: 4,
    soakSeconds: 60,
    steppedAt: begin,
    atOnce: 3,
    mostFailures: 1,
    mostFailedPercent: 10,
    operator: "ada",
    startedAt: begin,
  });
  const short = { host: "main", resources: { disk: { freeMb: 900, floorMb: 1_000 } }, overdue: ["mails"] };
  await changeObservations(db, (known) => withCheck(withHost(known, short, begin), "storage", "no bucket", begin));
  await changeObservations(db, (known) => ({
    ...withHost(known, short, later),
    certificateUntil: after(later, 10 * dayMs).toISOString(),
  }));
  const found = await readConditions(db, later);
  const details = Object.fromEntries(found.map(({ kind, detail }) => [kind, detail]));
  expect(Object.keys(details)).toEqual(
    Object.keys(alarmKinds).filter((kind) => !["database-gone", "first-restore-waits", "cannot-start"].includes(kind)),
  );
  expect(details["backups-failing"]).toMatch(
    /^Nothing can be stored: no bucket\. The oldest newest backup .* 216 hours old \(late: 1\)\.$/,
  );
  expect(details["disk-low"]).toBe("Host main: 900 MB are free, 0 days are left.");
  expect(details["many-workspaces-down"]).toMatch(/^\d of 120: alarm-\d+, .* and \d more\.$/);
  expect(details["fleet-update-stopped"]).toBe("To 2.40.7: acme crashed after its update.");
  await db.update(fleetUpdates).set({ stoppedBy: "ada" });
  expect((await readConditions(db, later)).map(({ kind }) => kind)).not.toContain("fleet-update-stopped");
  expect(details["worker-silent"]).toBe("Overdue on host main: mails.");
  expect(details["certificate-ends"]).toBe("It is valid until 2026-03-12 12:20 UTC.");
});

test("while the database is gone the alarm is sent without it, once, also by a restarted process, and its end", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-alarm-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let away = 60;
  let now = begin;
  const clock = { now: () => now };
  const { channels, told, answers } = await watched();
  /** A process whose database is gone: it must not be asked. */
  const db = new Proxy({}, { get: () => expect.unreachable("the database is gone") }) as AlarmOptions["db"];
  const start = () => {
    const databaseAlarm = createLocalAlarm(join(folder, "database-alarm.json"), "database-gone", channels, clock);
    return () => lookForAlarms({ db, clock, log, channels, contact: { awaySeconds: () => away }, databaseAlarm });
  };
  let look = start();
  await look();
  expect(told()).toEqual([]);
  away = goneAfterSeconds;
  answers(503);
  await look();
  expect(told()).toMatchObject([{ event: "began", kind: "database-gone", since: after(begin, -2 * minuteMs).toISOString() }]);
  await look();
  expect(told(), "a pause follows").toEqual([]);
  answers(200);
  look = start();
  await look();
  const [began] = told();
  expect(began).toMatchObject({ event: "began" });
  await look();
  look = start();
  await look();
  expect(told()).toEqual([]);
  now = after(begin, dayMs + minuteMs);
  await look();
  expect(told()).toMatchObject([{ event: "reminder", id: began!.id }]);
  const back = createLocalAlarm(join(folder, "database-alarm.json"), "database-gone", channels, clock);
  await back.clear("It answers again.");
  await back.clear("It answers again.");
  expect(told()).toMatchObject([{ event: "over", id: began!.id }]);
});

const notice = { id: "id-1", kind: "disk-low", event: "began" as const, detail: "Host main: 900 MB <b>", since: begin };

test("mails that all wait ring once none got through for an hour, and a few that wait beside others do not", async () => {
  const { db } = database;
  const waiting = (count: number) =>
    db.insert(mails).values(
      Array.from({ length: count }, () => ({
        id: newId(),
        recipient: "a@example.com",
        subject: "s",
        text: "t",
        html: "h",
        createdAt: begin,
        sendAt: begin,
        lastError: "530 5.7.0 Authentication required",
      })),
    );
  const found = async (now: Date) => (await readConditions(db, now)).find(({ kind }) => kind === "mails-given-up")?.detail;
  await waiting(5);
  expect(await found(begin)).toBeUndefined();
  await waiting(1);
  expect(await found(begin)).toBe("6 have failed and wait, and no mail got through within the last hour.");
  await db
    .insert(mails)
    .values({ id: newId(), recipient: "b@example.com", subject: "s", text: "", html: "", createdAt: begin, sentAt: begin });
  expect(await found(after(begin, 50 * minuteMs))).toBeUndefined();
  expect(await found(after(begin, 61 * minuteMs))).toContain("6 have failed and wait");
});

test("an alarm arrives by mail too, directly, and a webhook that fails stops no mail", async () => {
  const smtp = await startSmtpServer();
  onTestFinished(() => smtp.close());
  const mail = smtpTransport({ url: smtp.url, from: "Slipway <no-reply@example.com>" });
  onTestFinished(() => mail.close());
  const { channels, answers } = await watched();
  answers(500);
  const both = { ...channels, to: ["ops@example.com", "second@example.com"], mail };
  expect(await sendNotice(describeNotice(notice, service, begin), both)).toEqual([
    { channel: expect.stringMatching(/^webhook 127\.0\.0\.1:\d+$/), problem: "it answered 500" },
    { channel: "mail to ops@example.com", problem: null },
    { channel: "mail to second@example.com", problem: null },
  ]);
  expect(smtp.received.map(({ to }) => to[0]).toSorted()).toEqual(["ops@example.com", "second@example.com"]);
  const { email } = smtp.received[0]!;
  expect(email.subject).toBe("[app.example.com] Alarm: A disk runs out of space");
  expect(email.text).toContain("Host main: 900 MB <b>");
  expect(email.html).toContain("&lt;b&gt;");
});

test("the log of a webhook that fails names its host, and never the secret in its path", async () => {
  const lines: string[] = [];
  const noting = createLog("info", undefined, { write: (line: string) => void lines.push(line) } as never);
  const port = await findFreePort();
  const { channels, answers } = await watched();
  answers(302);
  for (const url of [`http://127.0.0.1:${port}/hook/secret-token?key=secret-token`, channels.url])
    await sendNotice(describeNotice(notice, service, begin), { ...channels, url, log: noting });
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("ECONNREFUSED");
  expect(lines[1]).toContain("it answered 302");
  expect(lines.join("")).not.toContain("secret-token");
});
