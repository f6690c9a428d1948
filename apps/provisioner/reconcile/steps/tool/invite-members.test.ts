import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { invitations, mails } from "#database/tables.ts";
import { revoke, saveInvitations, type InvitationRow } from "#domain/invitations/invitation-store.ts";
import { deliverInvitations } from "#domain/journeys/invite-teammates/deliver-invitations.ts";
import { lookSoon, makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { announceWorkspace } from "#domain/workspaces/workspace-store.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { EngineRefusal } from "../../../engines/engine.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

const online = (row: { observedState: string }) => row.observedState === "online";

/** Invites these people, as the API does. */
async function ask(fleet: TestFleet, workspaceId: string, ...emails: string[]): Promise<string> {
  const { accountId } = await fleet.row(workspaceId);
  await saveInvitations(fleet.database.db, accountId, emails, new Date());
  await look(fleet, accountId);
  return accountId;
}

const rowsOf = (fleet: TestFleet) => fleet.database.db.select().from(invitations).orderBy(invitations.id);
const mailsTo = (fleet: TestFleet, email: string) => fleet.database.db.select().from(mails).where(eq(mails.recipient, email));

/** Waits until the invitations match. */
const until = (fleet: TestFleet, fits: (rows: InvitationRow[]) => boolean) =>
  vi.waitFor(
    async () => {
      const rows = await rowsOf(fleet);
      if (!fits(rows)) throw new Error(`not yet: ${JSON.stringify(rows)}`);
      return rows;
    },
    { timeout: 60_000, interval: 25 },
  );

const all = (state: string) => (rows: InvitationRow[]) => rows.length > 0 && rows.every((row) => row.state === state);

/** Checks the workspace without waiting for the sweep. */
async function look(fleet: TestFleet, accountId: string): Promise<void> {
  await makeAccountDue(fleet.database.db, accountId, new Date());
  await announceWorkspace(fleet.database.db, accountId, "acme");
}

/** Waits until a pass is over and the next is a minute away. */
const settled = (fleet: TestFleet, id: string) =>
  fleet.until(id, (row) => row.leaseOwner === null && row.reconcileAt !== null && row.reconcileAt.getTime() > Date.now() + 50_000);

test("pending people are invited and mailed once when the workspace comes online, not before", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const accountId = await ask(fleet, id, "bob@example.com", "carl@example.com");
  fleet.startLoop();
  fleet.startLoop();
  await fleet.until(id, online);
  const rows = await until(fleet, all("sent"));
  await look(fleet, accountId);
  await settled(fleet, id);
  expect(fleet.engine.members.of(id).map(({ email }) => email)).toEqual(["bob@example.com", "carl@example.com"]);
  expect(fleet.engine.members.invites).toHaveLength(2);
  const [mail, ...more] = await mailsTo(fleet, "bob@example.com");
  expect(more).toEqual([]);
  expect(mail!.subject).toBe("Ada Lovelace invited you to their workspace acme");
  expect(mail!.text).toMatch(/^http:\/\/acme\.localhost:3000\/signup\?token=\S+$/m);
  expect(rows[0]).toMatchObject({ mailId: mail!.id, dueAt: null, reason: null, memberId: fleet.engine.members.of(id)[0]!.id });
});

test("an online workspace invites new people immediately", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  await ask(fleet, id, "bob@example.com");
  await until(fleet, all("sent"));
  expect(await mailsTo(fleet, "bob@example.com")).toHaveLength(1);
});

test("if a worker stalls after the tool has added the person, another does the rest: invited once, mailed once", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  const silence = Promise.withResolvers<void>();
  const silent = Promise.withResolvers<void>();
  fleet.engine.members.afterInvite = () => {
    fleet.engine.members.afterInvite = () => Promise.resolve();
    silent.resolve();
    return silence.promise;
  };
  await ask(fleet, id, "bob@example.com");
  await silent.promise;
  // As when its lease ends, without waiting for that.
  fleet.startLoop();
  await fleet.database.pool.query("update workspaces set lease_owner = null, lease_until = null, reconcile_at = now()");
  await until(fleet, all("sent"));
  // Worse than dying: it comes back and continues.
  silence.resolve();
  await look(fleet, (await fleet.row(id)).accountId);
  await settled(fleet, id);
  expect(fleet.engine.members.of(id)).toHaveLength(1);
  expect(fleet.engine.members.invites).toHaveLength(2);
  expect(await mailsTo(fleet, "bob@example.com")).toHaveLength(1);
});

test("an invitation revoked during the call to the tool is not mailed, and the person is removed again", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  await ask(fleet, id, "bob@example.com");
  fleet.engine.members.afterInvite = async () => {
    const [row] = await rowsOf(fleet);
    await revoke(fleet.database.db, row!.id, new Date(), new Date());
    await look(fleet, row!.accountId);
  };
  fleet.startLoop();
  await until(fleet, ([row]) => row!.revokedAt !== null && row!.dueAt === null);
  expect(fleet.engine.members.of(id)).toEqual([]);
  expect(await mailsTo(fleet, "bob@example.com")).toEqual([]);
});

test("a person who joins is shown as joined, and stays if the revocation comes too late", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  const accountId = await ask(fleet, id, "bob@example.com", "carl@example.com");
  const [bob] = await until(fleet, all("sent"));
  fleet.engine.members.join(id, "bob@example.com");
  await look(fleet, accountId);
  await until(fleet, (rows) => rows[0]!.state === "accepted" && rows[0]!.acceptedAt !== null && rows[1]!.state === "sent");

  await fleet.database.db
    .update(invitations)
    .set({ state: "sent", acceptedAt: null, revokedAt: new Date(), dueAt: new Date() })
    .where(eq(invitations.id, bob!.id));
  await look(fleet, accountId);
  await until(fleet, (rows) => rows[0]!.state === "accepted" && rows[0]!.revokedAt === null);
  expect(fleet.engine.members.of(id)).toHaveLength(2);
});

test("an existing member is shown as joined and gets no mail", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  await fleet.engine.members.invite("", id, "bob@example.com");
  fleet.engine.members.join(id, "bob@example.com");
  await ask(fleet, id, "bob@example.com");
  await until(fleet, all("accepted"));
  expect(await mailsTo(fleet, "bob@example.com")).toEqual([]);
});

test("a person removed from the workspace is shown as removed", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  const accountId = await ask(fleet, id, "bob@example.com");
  await until(fleet, all("sent"));
  await fleet.engine.members.revoke("", id, "bob@example.com");
  await look(fleet, accountId);
  expect((await until(fleet, all("failed")))[0]!.reason).toBe("This person was removed from the workspace.");
});

test("a refusal is kept with the tool's reason, tried again later, and leaves the workspace online", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  fleet.engine.members.fails = new EngineRefusal("SSO is enabled");
  const before = Date.now();
  const accountId = await ask(fleet, id, "bob@example.com", "carl@example.com");
  const [bob] = await until(fleet, all("failed"));
  expect(bob).toMatchObject({ reason: "The workspace refused: SSO is enabled.", attempts: 1 });
  expect(bob!.dueAt!.getTime() - before).toBeGreaterThanOrEqual(60_000);
  expect((await fleet.row(id)).observedState).toBe("online");

  fleet.engine.members.fails = null;
  await look(fleet, accountId);
  await settled(fleet, id);
  expect((await rowsOf(fleet))[0]!.state).toBe("failed");
  await fleet.database.db.update(invitations).set({ dueAt: new Date() });
  await look(fleet, accountId);
  expect((await until(fleet, all("sent")))[0]).toMatchObject({ attempts: 0, reason: null });
});

test("an unresponsive workspace is called for one person, not for each in turn", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const accountId = await ask(fleet, id, "bob@example.com", "carl@example.com");
  const asked: string[] = [];
  const members = {
    invite: (email: string) => Promise.reject(new Error(`timed out${asked.push(email)}`)),
    revoke: () => Promise.resolve(true),
    list: () => Promise.reject(new Error("timed out")),
    refusalOf: () => undefined,
  };
  const workspace = {
    accountId,
    accountName: "acme",
    ownerFullName: "Ada Lovelace",
    ownerLanguage: null,
    url: "http://acme.localhost:3000",
  };
  await deliverInvitations({ db: fleet.database.db, clock: systemClock, log: createLog("silent"), workspace, members });
  expect(asked).toEqual(["bob@example.com"]);
  expect((await rowsOf(fleet)).map(({ state }) => state)).toEqual(["failed", "waiting"]);
});

test("after the tenth failure in a row, the owner decides", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  fleet.engine.members.fails = new EngineRefusal("no");
  const accountId = await ask(fleet, id, "bob@example.com");
  await until(fleet, all("failed"));
  await fleet.database.db.update(invitations).set({ attempts: 9, dueAt: new Date() });
  await look(fleet, accountId);
  const [row] = await until(fleet, ([given]) => given!.attempts === 10);
  expect(row).toMatchObject({ state: "failed", dueAt: null });
});

test("an early look brings the next one forward, but not within 5 s of the last", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const { accountId } = await fleet.row(id);
  const now = new Date();
  const dueIn = async (seconds: number) => {
    await fleet.database.pool.query("update workspaces set observed_state = 'online', reconcile_at = $1", [
      new Date(now.getTime() + seconds * 1000),
    ]);
    await lookSoon(fleet.database.db, accountId, now);
    return ((await fleet.row(id)).reconcileAt!.getTime() - now.getTime()) / 1000;
  };
  expect(await dueIn(54)).toBe(0);
  expect(await dueIn(57)).toBe(57);
});
