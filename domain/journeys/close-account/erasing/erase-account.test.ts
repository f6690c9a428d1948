/** Erasing closed accounts: when, what it waits for, what is left, and what races with it. */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { loadDump } from "#database/dump/load-dump.ts";
import { writeDump } from "#database/dump/write-dump.ts";
import { migrate } from "#database/migrate.ts";
import {
  accounts,
  auditLog,
  backups,
  cards,
  exports,
  invitations,
  invoices,
  linkTokens,
  mails,
  payments,
  users,
  workspaces,
} from "#database/tables.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { StoredNothing, type BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { ageBeat, beat } from "#domain/memory-gap/memory-gap-store.ts";
import { receiveEvent } from "#domain/billing/provider-truth/provider-event-store.ts";
import { changeEmailMail, memberPasswordMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { keptLease } from "#domain/workspaces/hosts/kept.ts";
import { noteRestored } from "#domain/workspaces/hosts/found-store.ts";
import { copyInvoices } from "#domain/invoices/issuing/copy-invoices.ts";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { openTestBilling, receiveEventOf, subscribe } from "#testing/payments/test-billing.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createTestApi, registerConfirmed } from "#testing/test-api.ts";
import { closeAccount } from "../close-account.ts";
import { reopenAccount } from "../reopen-account.ts";
import { beginErasing, eraseDue, type ErasingParts } from "./erase-account.ts";
import { closeErasedAgain, ErasedNotClosed, listMarked, markErased } from "./erased-marks.ts";

const grace = { kind: "operator", operator: "grace", reason: "The company is gone." } as const;
const now = { operator: "grace", reason: "ticket 9", early: true } as const;

function openStorage(): BackupStorage {
  const folder = join(tmpdir(), `slipway-erased-${newId()}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return createFolderStorage(folder);
}

async function openScene() {
  const world = await openTestBilling();
  const parts: ErasingParts = { ...world.billing, storage: openStorage(), supportEmail: "help@example.com" };
  const accountId = await world.addAccount();
  const [owner] = await world.database.db.select().from(users).where(eq(users.accountId, accountId));
  const close = () => closeAccount({ ...world.billing, closedAccountDays: 30 }, accountId, grace);
  return { world, parts, accountId, email: owner!.email, close };
}
type Scene = Awaited<ReturnType<typeof openScene>>;

const row = async ({ world, accountId }: Scene) => (await world.database.db.select().from(accounts).where(eq(accounts.id, accountId)))[0]!;
/** As the sweeps and the mail loop do. */
async function sweep({
  world: {
    database: { db },
    clock,
  },
}: Scene) {
  await db.delete(backups);
  await db.delete(exports);
  await db.update(mails).set({ sendAt: null, sentAt: clock.now() });
}
/** Rounds of the worker, a minute apart. */
async function work(scene: Scene, rounds = 3) {
  for (let round = 0; round < rounds; round += 1) {
    await eraseDue(scene.parts);
    await scene.world.settle();
    await sweep(scene);
    scene.world.clock.advance(minuteMs);
  }
}

test("a closed account is erased on its day, not before; its name stays, its owner is told first, and can register again", async () => {
  const scene = await openScene();
  const { world, accountId, email } = scene;
  await scene.close();
  await world.settle();
  world.clock.advance(30 * dayMs - minuteMs);
  await eraseDue(scene.parts);
  expect(await row(scene)).toMatchObject({ erasingSince: null, erasedAt: null });
  world.clock.advance(minuteMs);
  await eraseDue(scene.parts);
  expect(await row(scene)).toMatchObject({ erasedAt: null, erasureWaitsFor: "copies" });
  const [last] = await world.database.db.select().from(mails).where(eq(mails.subject, "Your account is being erased"));
  expect(last).toMatchObject({ recipient: email });
  await work(scene);
  const { name, erasedAt, closingReason } = await row(scene);
  expect(erasedAt).not.toBeNull();
  expect(closingReason).toBeNull();
  const { db } = world.database;
  expect(await db.select().from(users).where(eq(users.accountId, accountId))).toEqual([]);
  expect(await db.select().from(mails).where(eq(mails.recipient, email))).toEqual([]);
  // The name is taken for good, the address is free.
  await expect(db.insert(accounts).values({ id: newId(), name, createdAt: world.clock.now() })).rejects.toThrow();
  await db.insert(accounts).values({ id: accountId.replace(/^./, "f"), name: "another", createdAt: world.clock.now() });
  await db
    .insert(users)
    .values({ id: newId(), accountId: accountId.replace(/^./, "f"), email, fullName: "Ada", createdAt: world.clock.now() });
  expect(await listMarked(scene.parts.storage)).toEqual([accountId]);
  const actions = await world.audit(accountId);
  expect(actions.filter((action) => action.startsWith("account.eras"))).toEqual(["account.erasing", "account.erased"]);
  // Nothing is left to do, and nothing is done twice.
  await work(scene);
  expect((await row(scene)).erasedAt).toEqual(erasedAt);
});

test("it waits until the workspace is deleted, without a last backup if none can be made", async () => {
  const scene = await openScene();
  const { world, accountId } = scene;
  world.backupsSucceed = false;
  await scene.close();
  await world.settle();
  const { db } = world.database;
  await db.update(workspaces).set({ reasonCode: "last-backup-failed" });
  world.clock.advance(30 * dayMs);
  await work(scene, 1);
  expect(await row(scene)).toMatchObject({ erasedAt: null, erasureWaitsFor: "workspace" });
  await eraseDue(scene.parts);
  const [given] = await db.select().from(backups).where(eq(backups.accountId, accountId));
  expect(given).toMatchObject({ kind: "before-deletion", state: "failed" });
  await db.update(workspaces).set({ observedState: "deleted" });
  await sweep(scene);
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();
});

test("it waits while its host's files are kept for a person's decision, although its row says that it is deleted", async () => {
  const scene = await openScene();
  const { world, parts, accountId } = scene;
  await scene.close();
  await world.settle();
  await beginErasing(parts, accountId, now);
  const { db } = world.database;
  expect(await db.select().from(workspaces)).toMatchObject([{ observedState: "deleted" }]);
  await db.update(workspaces).set(keptLease);
  await work(scene);
  expect(await row(scene)).toMatchObject({ erasedAt: null, erasureWaitsFor: "workspace" });
  await db.update(workspaces).set({ leaseOwner: null, leaseUntil: null });
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();
});

test("money that is not settled keeps it, and so does a message of the provider that is not handled", async () => {
  const scene = await openScene();
  const { world, accountId } = scene;
  await scene.close();
  await world.settle();
  world.clock.advance(30 * dayMs);
  const { db } = world.database;
  const open = { accountId, provider: "sandbox", issuedAt: world.clock.now(), description: "", currency: "USD", total: 1, tax: 0 };
  await db.insert(invoices).values({ ...open, id: newId(), providerInvoiceId: "1", status: "open" });
  await work(scene);
  expect(await row(scene)).toMatchObject({ erasingSince: null, erasureWaitsFor: "money", erasureAttempts: 0 });
  expect(await beginErasing(scene.parts, accountId, now)).toBe("money");
  await db.update(invoices).set({ status: "void" });
  await receiveEventOf(world, accountId);
  await world.database.pool.query("update provider_events set owner_id = $1, run_at = now()", [accountId]);
  expect(await beginErasing(scene.parts, accountId, now)).toBe("money");
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local slipway.changing_money = 'on'`);
    await tx.delete(invoices);
  });
  await world.database.pool.query("update provider_events set run_at = null");
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();
});

test("an operator may begin it earlier, by saying so; an open account is refused, and a mail server that is down delays it by a day", async () => {
  const scene = await openScene();
  const { world, accountId } = scene;
  expect(await beginErasing(scene.parts, accountId, now)).toBe("open");
  await scene.close();
  await world.settle();
  expect(await beginErasing(scene.parts, accountId, { ...now, early: false })).toBe("early");
  expect(await beginErasing(scene.parts, accountId, now)).toBeNull();
  expect(await beginErasing(scene.parts, accountId, { ...now, operator: "eve", reason: "ticket 10" })).toBe("begun");
  expect(await world.database.db.select().from(mails).where(eq(mails.subject, "Your account is being erased"))).toHaveLength(1);
  await world.database.db.delete(backups);
  await eraseDue(scene.parts);
  expect(await row(scene)).toMatchObject({ erasedAt: null, erasureWaitsFor: "mail" });
  world.clock.advance(dayMs);
  await eraseDue(scene.parts);
  expect((await row(scene)).erasedAt).not.toBeNull();
  const [ordered] = await world.database.db.select().from(auditLog).where(eq(auditLog.action, "account.erasing"));
  expect(ordered!.after).toEqual({ operator: "grace", reason: "ticket 9", isEarly: true });
});

test("of a reopening and an early erasure at the same moment, the first wins", async () => {
  for (const first of ["reopen", "erase"] as const) {
    const scene = await openScene();
    const { world, accountId } = scene;
    await scene.close();
    const acts = {
      reopen: () => reopenAccount({ ...world.billing, lastBackupDays: 30 }, accountId, { operator: "grace" }),
      erase: () => beginErasing(scene.parts, accountId, now),
    };
    const second = first === "reopen" ? "erase" : "reopen";
    const blocker = await world.database.pool.connect();
    await blocker.query("begin; lock table audit_log in exclusive mode");
    const one = acts[first]();
    await waitForLocks(world.database.pool, 1);
    const two = acts[second]();
    await waitForLocks(world.database.pool, 2);
    await blocker.query("commit");
    blocker.release();
    const results = { [first]: await one, [second]: await two };
    expect(results).toEqual(first === "reopen" ? { reopen: true, erase: "open" } : { erase: null, reopen: false });
    expect((await row(scene)).erasingSince === null).toBe(first === "reopen");
  }
});

test("an erasure that has begun is not taken back before its day either, and survives a restart at each step", async () => {
  const scene = await openScene();
  const { world, accountId, parts } = scene;
  await scene.close();
  await world.settle();
  await beginErasing(parts, accountId, now);
  const back = () => reopenAccount({ ...world.billing, lastBackupDays: 30 }, accountId, { operator: "grace" });
  expect(await back()).toBe(false);
  // The clock of the process that is asked may be behind.
  world.clock.advance(-hourMs);
  expect(await back()).toBe(false);
  world.clock.advance(hourMs);
  await sweep(scene);
  // Killed after the mark was written, with its claim still held.
  const dying: BackupStorage = {
    ...parts.storage,
    async write(name, content) {
      await parts.storage.write(name, content);
      throw new Error("the process was killed");
    },
  };
  await eraseDue({ ...parts, storage: dying });
  expect(await row(scene)).toMatchObject({ erasedAt: null, erasureAttempts: 1, erasureError: "Error" });
  expect(await listMarked(parts.storage)).toEqual([accountId]);
  world.clock.advance(minuteMs);
  await eraseDue(parts);
  expect((await row(scene)).erasedAt).not.toBeNull();
});

test("two workers erase one account once, and one that holds it is not waited for", async () => {
  const scene = await openScene();
  const { world, accountId, parts } = scene;
  await scene.close();
  await world.settle();
  await beginErasing(parts, accountId, now);
  await sweep(scene);
  const holder = await world.database.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from accounts where id = $1 for key share", [accountId]);
  await eraseDue(parts);
  expect((await row(scene)).erasedAt).toBeNull();
  await holder.query("rollback");
  holder.release();
  world.clock.advance(10 * minuteMs);
  await Promise.all([eraseDue(parts), eraseDue(parts), eraseDue(parts)]);
  expect((await world.audit(accountId)).filter((action) => action === "account.erased")).toHaveLength(1);
});

test("an account that an older dump brings back is closed at the start and erased again, whether it was open or closed in it", async () => {
  const scene = await openScene();
  const { world, parts } = scene;
  const chunks: Buffer[] = [];
  for await (const chunk of writeDump(world.database.pool, "next")) chunks.push(chunk as Buffer);
  await scene.close();
  await world.settle();
  await beginErasing(parts, scene.accountId, now);
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();

  const restored = await createTestDatabase({ empty: true });
  onTestFinished(() => restored.close());
  await loadDump(
    restored.pool,
    (async function* () {
      for (const chunk of chunks) yield chunk;
    })(),
  );
  await migrate(restored, createLog("silent"));
  const { db } = restored;
  await noteRestored(db, world.clock.now());
  const again: ErasingParts = { ...parts, db };
  expect(await closeErasedAgain(again)).toEqual([scene.accountId]);
  expect(await closeErasedAgain(again)).toEqual([]);
  const [workspace] = await db.select().from(workspaces);
  expect(workspace).toMatchObject({ desiredState: "deleted" });
  const reopened = await reopenAccount({ ...world.billing, db, lastBackupDays: 30 }, scene.accountId, { operator: "grace" });
  expect(reopened).toBe(false);
  await db.update(workspaces).set({ observedState: "deleted" });
  await eraseDue(again);
  const [erased] = await db.select().from(accounts).where(eq(accounts.id, scene.accountId));
  expect(erased!.erasedAt).not.toBeNull();
  expect(await db.select().from(users)).toEqual([]);
});

test("a mark that this service did not write closes nothing, however it came into the storage", async () => {
  const scene = await openScene();
  const { accountId, parts } = scene;
  await noteRestored(scene.world.database.db, scene.world.clock.now());
  const other = { ...parts, secrets: createSecrets("another key for tests, long enough to be one") };
  await markErased(other, accountId);
  expect(await closeErasedAgain(parts)).toEqual([]);
  await noteRestored(scene.world.database.db, scene.world.clock.now());
  const stranger = await scene.world.addAccount();
  await markErased(parts, stranger);
  const copied = await buffer(await parts.storage.read(`erased/${stranger}`));
  await parts.storage.write(`erased/${accountId}`, Readable.from([copied]));
  expect(await closeErasedAgain(parts)).toEqual([stranger]);
  expect(await row(scene)).toMatchObject({ closedAt: null, erasingSince: null });
});

test("where nothing was restored, a mark touches nothing: it comes from a copy of this service, with its key and storage", async () => {
  const scene = await openScene();
  const { world, accountId } = scene;
  const { db } = world.database;
  const { parts, logged } = hearing(scene.parts);
  await beat(db, world.clock.now(), null);
  await markErased(parts, accountId);
  const untouched = async () => {
    await expect(closeErasedAgain(parts)).rejects.toThrow(ErasedNotClosed);
    expect(await row(scene)).toMatchObject({ closedAt: null, eraseAt: null, erasingSince: null });
    const errors = logged().filter(({ level }) => level >= 50);
    expect(errors).toMatchObject([
      { accountId, msg: expect.stringMatching(/not, and no database was restored: nothing is done/) as string },
    ]);
  };
  await untouched();
  // Neither after a restore for which everything was looked at, and compared.
  await parts.storage.remove(`erased/${accountId}`);
  await noteRestored(db, world.clock.now());
  expect(await closeErasedAgain(parts)).toEqual([]);
  await markErased(parts, accountId);
  await untouched();
  // While the database may have forgotten it, or was restored again, it is acted upon.
  await noteRestored(db, world.clock.now());
  expect(await closeErasedAgain(parts)).toEqual([accountId]);
  const another = await world.addAccount();
  await markErased(parts, another);
  await ageBeat(db);
  expect(await closeErasedAgain(parts)).toEqual([another]);
});

test("a bad object in the storage delays no other account and not the start: endless, hanging, too long, or gone", async () => {
  const scene = await openScene();
  const { world, accountId } = scene;
  const { db } = world.database;
  const bad = {
    hangs: await world.addAccount(),
    "never opens": await world.addAccount(),
    endless: await world.addAccount(),
    gone: await world.addAccount(),
  };
  for (const each of [...Object.values(bad), accountId]) await markErased(scene.parts, each);
  const broken: BackupStorage = {
    ...scene.parts.storage,
    async read(name) {
      const id = name.slice("erased/".length);
      if (id === bad.hangs) return new Readable({ read: () => undefined });
      if (id === bad["never opens"]) return new Promise<Readable>(() => undefined);
      if (id === bad.endless) return Readable.from(endless());
      if (id === bad.gone) throw new StoredNothing(name);
      return scene.parts.storage.read(name);
    },
  };
  const { parts, logged } = hearing({ ...scene.parts, storage: broken });
  await noteRestored(db, world.clock.now());
  await expect(closeErasedAgain(parts, { oneMs: 200, allMs: minuteMs })).rejects.toThrow(/^4 marked as erased are not/);
  expect((await row(scene)).erasingSince).not.toBeNull();
  const errors = logged().filter(({ level }) => level >= 50);
  expect(errors.map((line) => line.accountId).toSorted()).toEqual(Object.values(bad).toSorted());
  // They are looked at again, and the rest of this restore is still owed.
  expect((await closeErasedAgain(scene.parts)).toSorted()).toEqual(Object.values(bad).toSorted());
  // All together do not keep the start longer than its limit, and a listing that hangs does not either.
  await expect(
    closeErasedAgain({ ...parts, storage: { ...broken, list: () => new Promise<string[]>(() => undefined) } }, { oneMs: 50, allMs: 50 }),
  ).rejects.toThrow("listing the marks");
});

function* endless() {
  for (;;) yield Buffer.alloc(1024);
}

/** The same parts, and what they log. */
function hearing(parts: ErasingParts) {
  const lines: string[] = [];
  const log = createLog("info", undefined, { write: (line) => void lines.push(line) });
  const logged = () => lines.splice(0).map((line) => JSON.parse(line) as { level: number; accountId: string; msg: string });
  return { parts: { ...parts, log }, logged };
}

test("after a restored dump, nothing is erased before the comparison with the payment provider", async () => {
  const scene = await openScene();
  const { world, parts } = scene;
  await subscribe(world);
  await scene.close();
  await world.settle();
  world.clock.advance(30 * dayMs);
  await beat(world.database.db, world.clock.now(), null);
  await world.database.pool.query(
    `update service_state set value = value || jsonb_build_object('gapSince', now()) where key = 'memory gap'`,
  );
  await eraseDue(parts);
  expect(await row(scene)).toMatchObject({ erasingSince: null, erasureWaitsFor: "comparison" });
});

test("a message of the payment provider that arrives afterwards brings nothing personal back, and is handled", async () => {
  const world = await openTestBilling();
  const parts: ErasingParts = { ...world.billing, storage: openStorage(), supportEmail: "help@example.com" };
  world.billing.settlePayments = (accountId, beside) => copyInvoices({ ...world.billing, seller: testSeller }, accountId, beside);
  const accountId = await subscribe(world);
  const { providerSubscriptionId: subscriptionId, providerCustomerId: customerId } = await world.find(accountId);
  const live = world.provider.subscriptions.get(subscriptionId!)!;
  live.status = "deleted";
  await receiveEventOf(world, accountId);
  await world.settle();
  await closeAccount({ ...world.billing, closedAccountDays: 30 }, accountId, grace);
  await world.settle();
  const scene = { world, parts, accountId } as Scene;
  expect(await beginErasing(parts, accountId, now)).toBeNull();
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();
  const card = { brand: "visa", lastFour: "4242", expiryMonth: 1, expiryYear: 2030 } as const;
  const usd = (amount: number) => ({ amount, currency: "USD" });
  const invoice: ProviderInvoice = {
    id: "invoice-paid-by-card",
    subscriptionId,
    number: null,
    issuedAt: world.clock.now(),
    status: "paid",
    takenBack: null,
    lines: [{ label: "Pro", quantity: 1, amount: usd(3500), isProration: false }],
    tax: null,
    total: usd(3500),
    creditUsed: usd(0),
    buyer: null,
    payments: [
      { id: "payment-1", at: world.clock.now(), amount: usd(3500), status: "failed", card, reason: "Ada's card was declined" },
      { id: "payment-2", at: world.clock.now(), amount: usd(3500), status: "succeeded", card, reason: null },
    ],
  };
  world.provider.listInvoices = () => Promise.resolve([invoice]);
  const event = {
    id: newId(),
    kind: "payment-succeeded",
    type: "test",
    occurredAt: world.clock.now(),
    subscriptionId,
    customerId,
    accountId,
    payload: {},
  } as const;
  await receiveEvent(world.database.db, "sandbox", event, world.clock.now());
  await world.settle();
  const { rows } = await world.database.pool.query("select handled_at, last_error from provider_events where event_id = $1", [event.id]);
  expect(rows).toEqual([{ handled_at: expect.any(Date) as Date, last_error: null }]);
  expect(await world.database.db.select().from(cards)).toEqual([]);
  expect(await world.database.db.select().from(payments).orderBy(payments.providerPaymentId)).toMatchObject([
    { providerPaymentId: "payment-1", brand: null, lastFour: null, reason: null, status: "failed" },
    { providerPaymentId: "payment-2", brand: null, lastFour: null, reason: null, status: "succeeded" },
  ]);
  expect(await world.database.db.select().from(mails)).toEqual([]);
});

test("others' mails stay: of who has such an address now, and the invitation by which another account invited the same person", async () => {
  const scene = await openScene();
  const { world, accountId, email } = scene;
  const { db } = world.database;
  const other = await world.addAccount();
  const [stranger] = await db.select().from(users).where(eq(users.accountId, other));
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const mail = (recipient: string, subject: string, createdAt = world.clock.now()) => ({
    id: newId(),
    recipient,
    subject,
    text: "",
    html: "",
    createdAt,
  });
  const invitation = mail(email, "Eve invited you to their workspace other");
  const ours = mail("mate@example.com", `Ada invited you to their workspace ${account!.name}`);
  const theirs = mail("mate@example.com", "Your export is ready");
  // The stranger has an address that the erased owner had before.
  await db.insert(auditLog).values({ at: world.clock.now(), accountId, action: "email.changed", before: stranger!.email, after: email });
  await db
    .insert(auditLog)
    .values({ at: world.clock.now(), accountId, action: "invitation.created", after: { emails: ["mate@example.com"] } });
  world.clock.advance(minuteMs);
  const strangers = mail(stranger!.email, "Your receipt", world.clock.now());
  const earlier = mail(stranger!.email, "Old", new Date(stranger!.createdAt.getTime() - 1));
  // Members of the workspace, whom only the workspace knows.
  const members = await Promise.all(
    [account!.name, "other"].map((accountName) =>
      memberPasswordMail({ to: "member@example.com", accountName, workspaceUrl: "https://example.com", link: "https://example.com/1" }),
    ),
  );
  const [member, othersMember] = members.map(({ recipient, subject }) => mail(recipient, subject));
  await db.insert(mails).values([invitation, ours, theirs, strangers, earlier, member!, othersMember!]);
  await db.insert(invitations).values({ id: newId(), accountId: other, email, askedAt: world.clock.now(), mailId: invitation.id });
  await scene.close();
  await world.settle();
  await beginErasing(scene.parts, accountId, now);
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();
  const left = (await db.select({ id: mails.id }).from(mails)).map(({ id }) => id).toSorted();
  expect(left).toEqual([invitation.id, strangers.id, theirs.id, othersMember!.id].toSorted());
  expect((await db.select().from(invitations)).map(({ mailId }) => mailId)).toEqual([invitation.id]);
});

test("a stranger's mails stay, although the owner asked to change to that address and never confirmed it", async () => {
  const scene = await openScene();
  const { world, accountId } = scene;
  const { db } = world.database;
  const [owner] = await db.select().from(users).where(eq(users.accountId, accountId));
  const strangers = ["stranger@example.com", "invited@example.com", "resent@example.com"];
  const actions = ["email.change-asked", "email.change-withdrawn", "email.change-resent"];
  for (const [index, address] of strangers.entries())
    await db
      .insert(auditLog)
      .values({ at: world.clock.now(), accountId, action: actions[index]!, before: index === 1 ? address : null, after: address });
  await db.insert(linkTokens).values({
    tokenHash: "asked",
    purpose: "change-email",
    userId: owner!.id,
    email: strangers[0]!,
    createdAt: world.clock.now(),
    expiresAt: new Date(world.clock.now().getTime() + hourMs),
  });
  const theirs = strangers.map((recipient) => ({
    id: newId(),
    recipient,
    subject: "Eve invited you to their workspace other",
    text: "",
    html: "",
    createdAt: world.clock.now(),
  }));
  // The link that the account had sent there goes; the same mail of another account stays.
  const at = world.clock.now();
  const { recipient, subject } = await changeEmailMail({ accountName: "any", language: "de" }, strangers[2]!, "https://example.com/1");
  const link = { recipient, subject, text: "", html: "" };
  const ours = { ...link, id: newId(), createdAt: at };
  const others = { ...link, id: newId(), createdAt: new Date(at.getTime() + 1) };
  await db.insert(mails).values([...theirs, ours, others]);
  await scene.close();
  await world.settle();
  await beginErasing(scene.parts, accountId, now);
  await work(scene);
  expect((await row(scene)).erasedAt).not.toBeNull();
  const left = (await db.select({ id: mails.id }).from(mails)).map(({ id }) => id).toSorted();
  expect(left).toEqual([...theirs, others].map(({ id }) => id).toSorted());
});

test("every old way in is closed: session, password, sign-in link, reset link; the address registers anew, the name does not", async () => {
  await using api = await createTestApi();
  const { token, form } = await registerConfirmed(api);
  const { email, password, accountName } = form as { email: string; password: string; accountName: string };
  const { db } = api.database;
  const [account] = await db.select().from(accounts).where(eq(accounts.name, accountName));
  const parts: ErasingParts = { ...api.services, storage: openStorage() };
  await closeAccount({ ...api.services, closedAccountDays: 30 }, account!.id, grace);
  const signedIn = await api.call("POST", "/api/auth/login", { body: { login: email, password } });
  await api.call("POST", "/api/user/magic-link", { body: { email } });
  const link = new URL(await api.newestLink(email));
  expect(await beginErasing(parts, account!.id, now)).toBeNull();
  await db.update(mails).set({ sendAt: null });
  await eraseDue(parts);
  expect((await db.select().from(accounts).where(eq(accounts.id, account!.id)))[0]!.erasedAt).not.toBeNull();
  for (const each of [token, signedIn.json<{ token: string }>().token])
    expect((await api.call("GET", "/api/auth/me", { token: each })).statusCode).toBe(401);
  for (const login of [email, accountName])
    expect((await api.call("POST", "/api/auth/login", { body: { login, password } })).statusCode).toBe(401);
  const used = await api.call("POST", "/api/auth/login/code", {
    body: { code: link.searchParams.get("code") ?? link.searchParams.get("token") },
  });
  expect(used.statusCode).toBeGreaterThanOrEqual(400);
  await api.call("POST", "/api/user/magic-link", { body: { email } });
  await api.call("POST", "/api/auth/forgot-password", { body: { email } });
  expect(await db.select().from(mails).where(eq(mails.recipient, email))).toEqual([]);
  expect((await api.call("GET", `/api/auth/account-name/${accountName}`)).json()).toEqual({ available: false });
  const again = { ...form, accountName: "anew-after-erasing" };
  expect((await api.call("POST", "/api/auth/register", { body: again })).statusCode).toBe(201);
  expect(
    (await api.call("POST", "/api/auth/register", { body: { ...form, email: "x@example.com", emailConfirmation: "x@example.com" } }))
      .statusCode,
  ).toBe(409);
});
