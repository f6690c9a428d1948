import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { after, dayMs, secondMs } from "#platform/clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createMailStore } from "./mail-store.ts";
import { queueMail } from "./queue-mail.ts";
import { resendFailedMails } from "./resend-failed-mails.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const now = new Date("2026-11-21T10:00:00Z");
const mail = { recipient: "ada@example.com", subject: "Hello", text: "Hello", html: "<p>Hello</p>" };
const left = async () => (await database.pool.query<{ id: string }>("select id from mails order by id")).rows.map(({ id }) => id);

test("mails sent or given up 90 days ago are deleted, but none that is still to be sent", async () => {
  const store = createMailStore(database.db);
  const [sent, failed, waiting, newlySent] = await Promise.all(Array.from({ length: 4 }, () => queueMail(database.db, mail, now)));
  await store.markSent(sent!, now, false);
  await store.markFailed(failed!, now, "refused");
  await store.markSent(newlySent!, after(now, secondMs), false);
  await deleteOldRows(database.db, after(now, 90 * dayMs));
  expect(await left()).toHaveLength(4);
  await deleteOldRows(database.db, after(now, 90 * dayMs + 1));
  expect(await left()).toEqual([waiting, newlySent].toSorted());
});

test("given-up mails are due again with all their attempts, except those too old to still be true", async () => {
  const store = createMailStore(database.db);
  await database.pool.query("delete from mails");
  const [failed, sent, old] = await Promise.all([
    queueMail(database.db, mail, now),
    queueMail(database.db, mail, now),
    queueMail(database.db, mail, after(now, -4 * dayMs)),
  ]);
  for (const id of [failed, old]) {
    await store.markRetry(id, now, "no answer");
    await store.markFailed(id, now, "no answer");
  }
  await store.markSent(sent, now, false);
  expect(await resendFailedMails(database.db, now, 3)).toEqual({ resent: 1, stale: 1 });
  expect((await store.claim(now, 10)).map(({ id, attempts }) => ({ id, attempts }))).toEqual([{ id: failed, attempts: 0 }]);
  expect(await resendFailedMails(database.db, now, 3)).toEqual({ resent: 0, stale: 1 });
});
