import { eq, like } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { accounts, invitations, mails, subscriptions, usageDays, usagePeriods, users } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { startTrial } from "#domain/billing/subscription/start-trial.ts";
import { entitlementsChanged } from "#domain/workspaces/desired/entitlements-changed.ts";
import { saveGatewayCounts } from "#domain/usage/check-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { noReporter } from "#platform/error-reports.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { EngineRefusal } from "../../../engines/engine.ts";
import type { EngineRequest } from "../../../engines/port/engine-usage.ts";

async function wantOnTrial(fleet: TestFleet, name: string): Promise<{ id: string; accountId: string }> {
  const { db } = fleet.database;
  await savePlans(db, readCatalogue(), new Date());
  const id = await fleet.want(name, (tx, accountId) => startTrial(tx, accountId, new Date()));
  const { accountId } = await fleet.row(id);
  return { id, accountId };
}

const online = (fleet: TestFleet, id: string) => fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
const plansOf = (fleet: TestFleet, id: string) => fleet.engine.plans.get(id) ?? [];
const soon = { timeout: 20_000, interval: 25 };
const today = new Date().toISOString().slice(0, 10);

test("a workspace knows its owner's plan before the gateway opens, and is told only once", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  expect(plansOf(fleet, id)).toMatchObject([
    {
      id: "trial-1",
      status: "trialing",
      limits: { executions: 1000, activeWorkflows: 5, users: 5 },
      changePlanPath: "/account/change-plan",
      isConfirmed: true,
    },
  ]);
  const before = await fleet.row(id);
  await makeAccountDue(fleet.database.db, accountId, new Date());
  loop.wake();
  await fleet.until(id, (row) => row.leaseOwner === null && row.usageReadAt! > before.usageReadAt!);
  expect(plansOf(fleet, id)).toHaveLength(1);
});

test("a changed subscription reaches the running workspace immediately, without a restart", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  const before = await online(fleet, id);
  await fleet.database.db.transaction(async (tx) => {
    await tx
      .update(subscriptions)
      .set({ specId: "pro-1", status: "active", startedAt: new Date() })
      .where(eq(subscriptions.accountId, accountId));
    await entitlementsChanged(tx, accountId, new Date());
  });
  await vi.waitFor(
    () => expect(plansOf(fleet, id).at(-1)).toMatchObject({ id: "pro-1", status: "active", limits: { executions: 10_000 } }),
    soon,
  );
  expect((await fleet.row(id)).startedAt).toEqual(before.startedAt);
});

test("usage is recorded once, whichever process is killed in between; a restored workspace is told the figure again", async () => {
  await using fleet = await createTestFleet();
  const first = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  const periodStart = plansOf(fleet, id)[0]!.periodStarts[0]!;
  const { db } = fleet.database;
  const look = async (loop: { wake(): void }) => {
    const { usageReadAt } = await fleet.row(id);
    await makeAccountDue(db, accountId, new Date());
    loop.wake();
    await fleet.until(id, (row) => row.leaseOwner === null && row.usageReadAt! > usageReadAt!);
  };
  fleet.engine.usage.set(id, { counters: [{ epoch: "one", periodStart, date: today, executions: 7, failed: 2 }] });
  await look(first);
  await first.stop();
  const second = fleet.startLoop();
  // An old copy of its files: the counters of that time, and another epoch.
  fleet.engine.usage.set(id, {
    counters: [
      { epoch: "one", periodStart, date: today, executions: 3, failed: 0 },
      { epoch: "two", periodStart, date: today, executions: 1, failed: 0 },
    ],
  });
  fleet.engine.plans.set(id, plansOf(fleet, id).slice(0, 1));
  await look(second);
  expect(await db.select().from(usageDays).where(eq(usageDays.accountId, accountId))).toMatchObject([
    { date: today, executions: 8, failed: 2 },
  ]);
  expect(await db.select().from(usagePeriods).where(eq(usagePeriods.accountId, accountId))).toMatchObject([{ executions: 8 }]);
  expect(plansOf(fleet, id).at(-1)!.counted).toEqual({ executions: 8, epochs: { one: 7, two: 1 } });
});

test("a workspace that reports less than the gateway saw counts with the larger figure, is told it, and raises an alarm; so does one that does not answer", async () => {
  await using fleet = await createTestFleet();
  const lines: string[] = [];
  const log = createLog("error", noReporter, { write: (line) => void lines.push(line) });
  let aheadMs = 0;
  const loop = fleet.startLoop({ log, clock: { now: () => new Date(Date.now() + aheadMs) } });
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  const { db } = fleet.database;
  const day = async () => (await db.select().from(usageDays).where(eq(usageDays.accountId, accountId)))[0]?.executions ?? 0;
  const look = async () => {
    await makeAccountDue(db, accountId, new Date());
    loop.wake();
  };
  await saveGatewayCounts(db, newId(), [{ workspaceId: id, date: today, executions: 20 }]);
  fleet.engine.usageFails = new Error("no such path");
  await look();
  await vi.waitFor(async () => expect(await day()).toBe(20), soon);
  expect(lines).toEqual([]);
  fleet.engine.usageFails = null;
  // Five minutes later, it still reports nothing.
  aheadMs = 6 * 60_000;
  await look();
  await vi.waitFor(async () => expect(await fleet.journal(id)).toContain("usage-differs"), soon);
  await vi.waitFor(() => expect(plansOf(fleet, id).at(-1)!.counted).toEqual({ executions: 20, epochs: {} }), soon);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: "usage-differs", workspaceId: id, accountName: "acme", date: today, reported: 0, gateway: 20, added: 20, isFirst: true },
  ]);
});

test("the owner's new address reaches the workspace; if another user there has it, the journal says so once", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  const { db } = fleet.database;
  const change = async (email: string) => {
    await db.update(users).set({ email }).where(eq(users.accountId, accountId));
    await makeAccountDue(db, accountId, new Date());
    loop.wake();
    await fleet.until(id, (row) => row.leaseOwner === null && row.ownerPassed === `${email} Ada Lovelace`);
  };
  await change("new@example.com");
  expect(fleet.engine.ownerChanges.get(id)).toEqual([{ email: "new@example.com", fullName: "Ada Lovelace" }]);
  fleet.engine.ownerFails = new EngineRefusal("taken@example.com belongs to somebody else in this workspace");
  await change("taken@example.com");
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "owner-changed", "owner-kept"]);
  expect(await db.$count(accounts)).toBe(1);
});

test("a confirmation mail requested in the editor is sent once, and its events reach analytics", async () => {
  const events: string[] = [];
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop({ reportEditorEvent: (name) => void events.push(name) });
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  const { db } = fleet.database;
  await db.update(users).set({ confirmedAt: null }).where(eq(users.accountId, accountId));
  const ask = async (names: string[]) => {
    fleet.engine.requests.set(id, [
      { id: newId(), kind: "confirmation-mail" },
      ...names.map((name) => ({ id: newId(), kind: "event" as const, name })),
    ]);
    await makeAccountDue(db, accountId, new Date());
    loop.wake();
    await vi.waitFor(() => expect(fleet.engine.requests.get(id)).toEqual([]), soon);
  };
  await ask(["credential-saved"]);
  await ask([]);
  expect(events).toEqual(["credential-saved"]);
  const sent = await db.select().from(mails).where(like(mails.text, "%/confirm-email?token=%"));
  expect(sent).toHaveLength(1);
});

test("community nodes left out of a start are named in the journal, once", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  fleet.engine.requests.set(id, [
    { id: newId(), kind: "nodes-held-back", nodes: ["n8n-nodes-greeting 1.0.0", "@acme/n8n-nodes-other 2.1.0"] },
  ]);
  await makeAccountDue(fleet.database.db, accountId, new Date());
  loop.wake();
  await vi.waitFor(() => expect(fleet.engine.requests.get(id)).toEqual([]), soon);
  const { rows } = await fleet.database.pool.query<{ message: string }>(
    "select message from workspace_journal where workspace_id = $1 and event = 'nodes-held-back'",
    [id],
  );
  expect(rows.map(({ message }) => message)).toEqual([
    expect.stringMatching(/runs without them: n8n-nodes-greeting 1\.0\.0, @acme\/n8n-nodes-other 2\.1\.0\. Remove or update one/),
  ]);
});

test.each([
  ["out-of-memory", /^When the workspace ran out of memory, these workflows were running: “Import orders”, “Nightly”\. Let them process/],
  ["died", /^When the workspace stopped, these workflows were running: “Import orders”, “Nightly”\. Their executions did not finish\.$/],
] as const)("after %s the journal names the workflows that ran", async (event, words) => {
  await using fleet = await createTestFleet();
  const { pool } = fleet.database;
  const loop = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  await pool.query("insert into workspace_journal (workspace_id, event, message, at) values ($1, $2, 'it ended', now())", [id, event]);
  fleet.engine.requests.set(id, [{ id: newId(), kind: "workflows-interrupted", workflows: ["Import orders", "Nightly"] }]);
  await makeAccountDue(fleet.database.db, accountId, new Date());
  loop.wake();
  await vi.waitFor(() => expect(fleet.engine.requests.get(id)).toEqual([]), soon);
  const { rows } = await pool.query<{ message: string }>(
    "select message from workspace_journal where workspace_id = $1 and event = 'workflows-interrupted'",
    [id],
  );
  expect(rows.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
});

test("a workspace that keeps reporting left out nodes does not fill its journal", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  fleet.engine.requests.set(
    id,
    Array.from({ length: 40 }, (_, n) => ({ id: newId(), kind: "nodes-held-back", nodes: [`n8n-nodes-greeting 1.0.${n}`] })),
  );
  await makeAccountDue(fleet.database.db, accountId, new Date());
  loop.wake();
  await vi.waitFor(() => expect(fleet.engine.requests.get(id)).toEqual([]), soon);
  const { rows } = await fleet.database.pool.query(
    "select 1 from workspace_journal where workspace_id = $1 and event = 'nodes-held-back'",
    [id],
  );
  expect(rows).toHaveLength(5);
});

test("a workspace is told its plan, and its owner is warned of usage, even if its editor's requests fail", async () => {
  await using fleet = await createTestFleet();
  const lines: string[] = [];
  const loop = fleet.startLoop({ log: createLog("warn", noReporter, { write: (line) => void lines.push(line) }) });
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  const { db } = fleet.database;
  const periodStart = plansOf(fleet, id)[0]!.periodStarts[0]!;
  fleet.engine.usage.set(id, { counters: [{ epoch: "one", periodStart, date: today, executions: 900, failed: 0 }] });
  fleet.engine.requests.set(id, [{ id: newId(), kind: "event", name: "credential-saved" }]);
  fleet.engine.requestsDone = () => Promise.reject(new Error("the editor does not listen"));
  await db.update(users).set({ confirmedAt: null }).where(eq(users.accountId, accountId));
  await makeAccountDue(db, accountId, new Date());
  loop.wake();
  await vi.waitFor(() => expect(plansOf(fleet, id).at(-1)).toMatchObject({ isConfirmed: false, counted: { executions: 900 } }), soon);
  expect(await fleet.journal(id)).toContain("quota-nearly-reached");
  expect(lines.join("")).toContain("the editor does not listen");
});

test("people invited inside the tool are listed and mailed, within the plan's number of people; only members get mail for a forgotten password", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const { id, accountId } = await wantOnTrial(fleet, "acme");
  await online(fleet, id);
  const { db } = fleet.database;
  const ask = async (requests: EngineRequest[]) => {
    fleet.engine.requests.set(id, requests);
    await makeAccountDue(db, accountId, new Date());
    loop.wake();
    await vi.waitFor(() => expect(fleet.engine.requests.get(id)).toEqual([]), soon);
  };
  const invitation = (email: string): EngineRequest => ({ id: newId(), kind: "invitation", email });
  // Of a trial's five people, one is the owner.
  await ask(["bob", "bob", "carl", "dora", "eve", "fred"].map((name) => invitation(`${name}@example.com`)));
  const listed = () => db.select().from(invitations).where(eq(invitations.accountId, accountId)).orderBy(invitations.id);
  await vi.waitFor(
    async () =>
      expect((await listed()).map(({ email, state }) => [email, state])).toEqual(
        ["bob", "carl", "dora", "eve"].map((name) => [`${name}@example.com`, "sent"]),
      ),
    soon,
  );
  fleet.engine.members.join(id, "bob@example.com");

  const path = "/change-password?token=abc.def&mfaEnabled=false";
  const forgotten = (email: string): EngineRequest => ({ id: newId(), kind: "password-mail", email, path });
  const [{ email: ownersEmail } = { email: "" }] = await db.select().from(users).where(eq(users.accountId, accountId));
  await ask(["bob@example.com", "carl@example.com", "stranger@example.com", ownersEmail].map(forgotten));
  const sent = await db.select().from(mails).where(like(mails.subject, "Choose a new password for the workspace acme"));
  expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(["bob@example.com", ownersEmail].toSorted());
  expect(sent[0]!.text).toContain(`http://acme.localhost:3000${path}`);
  // However often the tool requests it, a mailbox is not flooded.
  for (let asked = 0; asked < 4; asked++) await ask([forgotten("bob@example.com")]);
  expect((await db.select().from(mails).where(eq(mails.recipient, "bob@example.com"))).length).toBeLessThanOrEqual(4);
});
