import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { developmentInbox, linksOf } from "./development-inbox.ts";
import type { Mail } from "./mail.ts";
import { createMailStore } from "./mail-store.ts";
import { queueMail } from "./queue-mail.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const now = new Date("2026-11-21T10:00:00Z");
const later = new Date("2026-11-21T10:00:20Z");
const mail = (over: Partial<Mail> = {}): Mail => ({
  recipient: "ada@example.com",
  subject: "Hello",
  text: "Hello",
  html: "<p>Hello</p>",
  ...over,
});

/** As when their processes died 20 s ago. */
const endLeases = () =>
  database.pool.query("update mails set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null");

test("a mail of a failed transaction does not exist", async () => {
  const failing = database.db.transaction(async (tx) => {
    await queueMail(tx, mail(), now);
    throw new Error("the use case failed");
  });
  await expect(failing).rejects.toThrow("the use case failed");
  expect(await createMailStore(database.db).claim(now, 10)).toEqual([]);
});

test.each([
  ["a line break in the subject", mail({ subject: "Hello\r\nBcc: victim@example.com" })],
  ["a Unicode line break in the subject", mail({ subject: "Hello\u2028there" })],
  ["an empty subject", mail({ subject: "" })],
  ["a line break in the recipient", mail({ recipient: "ada@example.com\r\nBcc: victim@example.com" })],
  ["two recipients", mail({ recipient: "ada@example.com,bob@example.com" })],
  ["a recipient with a name", mail({ recipient: "Ada <ada@example.com>" })],
  ["no address at all", mail({ recipient: "ada" })],
])("%s is refused", async (_what, hostile) => {
  await expect(queueMail(database.db, hostile, now)).rejects.toThrow(/A mail needs/);
});

test("two simultaneous processes never claim the same mail", async () => {
  const store = createMailStore(database.db);
  for (let count = 0; count < 30; count++) await queueMail(database.db, mail(), now);
  const claims = await Promise.all(Array.from({ length: 5 }, () => store.claim(now, 10)));
  const ids = claims.flat().map(({ id }) => id);
  expect(ids.length).toBe(30);
  expect(new Set(ids).size).toBe(30);
});

test("a mail whose sender died is due again when its lease ends, not before", async () => {
  const store = createMailStore(database.db);
  expect(await store.claim(later, 100)).toEqual([]);
  await endLeases();
  const again = await store.claim(later, 100);
  expect(again.length).toBe(30);
  for (const { id } of again) await store.markSent(id, later, false);
  await endLeases();
  expect(await store.claim(new Date("2027-01-01T00:00:00Z"), 100)).toEqual([]);
});

test("the sender of a slow mail keeps its claim", async () => {
  const store = createMailStore(database.db);
  const id = await queueMail(database.db, mail(), now);
  await store.claim(now, 10);
  await database.pool.query("update mails set lease_until = clock_timestamp() + interval '1 second' where id = $1", [id]);
  await store.renew([id], now);
  const renewed = "select lease_until > clock_timestamp() + interval '15 seconds' as is from mails where id = $1";
  expect((await database.pool.query(renewed, [id])).rows).toEqual([{ is: true }]);
  expect(await store.claim(later, 10)).toEqual([]);
  await store.markSent(id, later, false);
});

test("a sent mail stays sent, whatever a process that resumes late reports", async () => {
  const store = createMailStore(database.db);
  const id = await queueMail(database.db, mail(), now);
  await store.markSent(id, now, false);
  await store.markRetry(id, now, "too late");
  await store.markFailed(id, now, "too late");
  await store.renew([id], now);
  expect(await store.claim(later, 10)).toEqual([]);
});

test("a process that has lost a mail to another one neither renews its lease nor plans its next attempt", async () => {
  const [late, other] = [createMailStore(database.db), createMailStore(database.db)];
  const id = await queueMail(database.db, mail(), now);
  await late.claim(now, 10);
  await endLeases();
  await late.claim(later, 0);
  expect((await other.claim(later, 10)).map((each) => each.id)).toEqual([id]);
  const read = async () =>
    (await database.pool.query("select send_at, lease_owner, lease_until, attempts from mails where id = $1", [id])).rows;
  const before = await read();
  await late.renew([id], now);
  await late.markRetry(id, now, "too late");
  await late.markFailed(id, now, "too late");
  expect(await read()).toEqual(before);
  await other.markSent(id, now, false);
});

test.each([25, -25, 3_600])("a process whose clock is %d s off takes no mail that another one is sending", async (seconds) => {
  const [one, other] = [createMailStore(database.db), createMailStore(database.db)];
  const id = await queueMail(database.db, mail(), new Date("2026-11-21T09:00:00Z"));
  expect((await one.claim(now, 10)).map((each) => each.id)).toEqual([id]);
  expect(await other.claim(new Date(now.getTime() + seconds * 1000), 10)).toEqual([]);
  await one.markSent(id, now, false);
});

test.each([
  ["sends", 20],
  ["has put off", 120],
])("a mail that the release before %s, once its sender's lease has ended, is not sent before its time", async (_what, seconds) => {
  const store = createMailStore(database.db);
  const id = await queueMail(database.db, mail(), now);
  await store.claim(now, 10);
  await endLeases();
  // It knows no leases: it moves the due time, and leaves ours.
  const due = new Date(later.getTime() + seconds * 1000);
  await database.pool.query("update mails set send_at = $2 where id = $1", [id, due]);
  expect(await store.claim(new Date(due.getTime() - 1), 10)).toEqual([]);
  expect((await store.claim(due, 10)).map((each) => each.id)).toEqual([id]);
  await store.markSent(id, due, false);
});

test("a mail that was leased before the database's clock was set back is sent all the same", async () => {
  const store = createMailStore(database.db);
  const id = await queueMail(database.db, mail(), now);
  await store.claim(now, 10);
  await database.pool.query("update mails set lease_until = clock_timestamp() + interval '2 hours' where id = $1", [id]);
  expect((await store.claim(later, 10)).map((each) => each.id)).toEqual([id]);
  await store.markSent(id, now, false);
});

test("the inbox shows kept mails newest first, with the links of their text, and no mail that is not out yet", async () => {
  const store = createMailStore(database.db);
  const first = await queueMail(database.db, mail({ subject: "First", text: "See https://example.com/a?b=c." }), now);
  const second = await queueMail(database.db, mail({ subject: "Second" }), now);
  await queueMail(database.db, mail({ subject: "Not out yet" }), now);
  await store.markSent(first, new Date("2026-11-22T10:00:00Z"), true);
  await store.markSent(second, new Date("2026-11-22T10:00:01Z"), true);
  const [newest, next] = await developmentInbox(database.db);
  expect(newest).toMatchObject({ id: second, subject: "Second", links: [], sentAt: "2026-11-22T10:00:01.000Z" });
  expect(next).toEqual({
    id: first,
    to: "ada@example.com",
    subject: "First",
    text: "See https://example.com/a?b=c.",
    html: "<p>Hello</p>",
    links: ["https://example.com/a?b=c"],
    sentAt: "2026-11-22T10:00:00.000Z",
  });
});

test("links are found once each, without the punctuation around them", () => {
  expect(linksOf("Go to http://a.test/x, or (https://b.test/y). Again: http://a.test/x")).toEqual(["http://a.test/x", "https://b.test/y"]);
});
