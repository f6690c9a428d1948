import { Readable, pipeline } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { and, eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { auditLog, backups, exports, restores, sessions, workspaces, workspaceUpdates } from "#database/tables.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { expireExport, listExports } from "#domain/exports/export-store.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, forgetCalls, type TestApi } from "#testing/test-api.ts";
import { mostADay } from "./daily-limit.ts";
import { backupsPerPage } from "./route.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { madeBackup } from "#testing/database/stored-rows.ts";

let api: TestApi;
beforeAll(async () => (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

/** An owner with an online workspace, changed by `set`. */
async function owner(set: Partial<typeof workspaces.$inferInsert> = {}) {
  const { token, form, accountName, accountId } = await setUpOwner(api);
  const change = (columns: Partial<typeof workspaces.$inferInsert>) =>
    api.database.db.update(workspaces).set(columns).where(eq(workspaces.accountId, accountId));
  await change({
    observedState: "online",
    observedGeneration: 1,
    observedVersion: "2.40.7",
    ownerSetUpAt: new Date(),
    reconcileAt: null,
    ...set,
  });
  const workspace = (await api.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
  const call = (method: "GET" | "HEAD" | "POST" | "DELETE", path: string, body?: object) =>
    api.call(method, `/api/export${path}`, { token, ...(body && { body }) });
  const openedBy = (by: "workspace" | "operator") =>
    api.database.db
      .update(sessions)
      .set({ openedBy: by, typedAt: null })
      .where(eq(sessions.tokenHash, hashToken(token)));
  return { token, form, accountName, accountId, workspace, call, change, openedBy };
}

type Owner = Awaited<ReturnType<typeof owner>>;

/** A backup that a worker has completed. */
async function made({ accountId, workspace }: Owner, end: Partial<BackupRow> = {}): Promise<BackupRow> {
  const now = api.clock.now();
  const wanted = { accountId, workspaceId: workspace.id, kind: "manual", engine: "n8n", engineVersion: "2.40.7" } as const;
  const { id } = (await insertBackup(api.database.db, wanted, now))!;
  const [row] = await api.database.db
    .update(backups)
    .set({ ...madeBackup(now), ...end })
    .where(eq(backups.id, id))
    .returning();
  return row!;
}

async function store(name: string, content: Buffer): Promise<void> {
  const { storage, keys } = api.services.stored;
  await storage.write(
    name,
    pipeline(Readable.from([content], { objectMode: false }), sealStream(keys.current, name), () => undefined),
  );
}

const password = "correct horse battery";

test("backups are hidden without a session and from other accounts", async () => {
  const mine = await owner();
  const row = await made(mine);
  const other = await owner();
  for (const [method, path, body] of [
    ["HEAD", "/has-backups"],
    ["GET", ""],
    ["POST", "/backups"],
    ["DELETE", `/backups/${row.id}`],
    ["POST", `/backups/${row.id}/restore`, { accountName: "x" }],
    ["POST", `/backups/${row.id}/download`, { password }],
    ["DELETE", `/exports/${row.id}`],
    ["POST", "/workflows", { withCredentials: false }],
    ["GET", "/download/abcdefghijklmnopqrstuvwxyz"],
  ] as const)
    expect((await api.call(method, `/api/export${path}`, body && { body })).statusCode, path).toBe(401);
  expect((await other.call("HEAD", "/has-backups")).statusCode).toBe(404);
  expect((await mine.call("HEAD", "/has-backups")).statusCode).toBe(200);
  expect((await other.call("GET", "")).json()).toMatchObject({ backups: [], restore: null, exports: [] });
  expect((await other.call("DELETE", `/backups/${row.id}`)).json()).toMatchObject({ status: 404, code: "backup_not_found" });
  expect((await other.call("POST", `/backups/${row.id}/download`, { password })).json()).toMatchObject({ code: "backup_not_found" });
  expect((await other.call("POST", `/backups/${row.id}/restore`, { accountName: other.accountName })).json()).toMatchObject({
    code: "backup_not_found",
  });
});

test("the list shows kind, state, size, contents, when the backup was opened and how long it is kept", async () => {
  const mine = await owner();
  await made(mine, { state: "failed", reason: "There was not enough storage space.", size: null, verifiedAt: null });
  api.clock.advance(1_000);
  const finishedAt = api.clock.now();
  const [verifiedAt, keptUntil] = [new Date(finishedAt.getTime() + 1_000), new Date(finishedAt.getTime() + 3 * dayMs)];
  const row = await made(mine, { finishedAt, verifiedAt, keptUntil });
  const list = (await mine.call("GET", "")).json() as { backups: object[]; keptDays: number };
  expect(list).toMatchObject({ keptDays: 3, canBackUp: true, canExport: true, canRestore: true });
  expect(list.backups).toMatchObject([
    {
      id: row.id,
      kind: "manual",
      state: "successful",
      versionName: "2.40.7",
      size: 1234,
      workflows: 3,
      credentials: 2,
      executions: 1,
      isRestorable: true,
      finishedAt: finishedAt.toISOString(),
      verifiedAt: verifiedAt.toISOString(),
      keptUntil: keptUntil.toISOString(),
    },
    { state: "failed", reason: "There was not enough storage space.", isRestorable: false },
  ]);
});

test("older backups are on further pages: each once, newest first, even if backups are deleted or made between two pages", async () => {
  const mine = await owner();
  const other = await owner();
  const { accountId, workspace } = mine;
  const row = (index: number, at: Date): typeof backups.$inferInsert => ({
    id: newId(),
    accountId,
    workspaceId: workspace.id,
    kind: "before-update",
    state: "failed",
    engine: "n8n",
    engineVersion: `1.0.${index}`,
    createdAt: at,
  });
  const first = api.clock.now().getTime();
  // Three for each moment: where a page ends between them, the id decides.
  const made = await api.database.db
    .insert(backups)
    .values(Array.from({ length: backupsPerPage * 2 + 1 }, (_, index) => row(index, new Date(first + Math.floor(index / 3) * 1_000))))
    .returning();
  const expected = made.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
  type Page = { backups: { id: string }[]; next: string | null };
  const page = async (next?: string | null) => (await mine.call("GET", next ? `?before=${next}` : "")).json() as Page;
  const pages = [await page()];
  expect(pages[0]!.backups).toHaveLength(backupsPerPage);
  await mine.call("DELETE", `/backups/${pages[0]!.backups.at(-1)!.id}`);
  await api.database.db.insert(backups).values(row(999, new Date(first + dayMs)));
  for (let next = pages[0]!.next; next !== null; next = pages.at(-1)!.next) pages.push(await page(next));
  expect(pages.map((each) => each.backups.length)).toEqual([backupsPerPage, backupsPerPage, 1]);
  expect(pages.flatMap((each) => each.backups.map(({ id }) => id))).toEqual(expected);

  expect((await other.call("GET", `?before=${pages[0]!.next}`)).json()).toMatchObject({ backups: [], next: null });
  for (const mark of ["1", "x", `99999999999999_${newId()}`, `1700000000000_${newId()}' or 1=1`])
    expect((await mine.call("GET", `?before=${encodeURIComponent(mark)}`)).statusCode, mark).toBe(422);
});

test("one backup at a time can be requested, and a limited number a day", async () => {
  const mine = await owner();
  const first = await mine.call("POST", "/backups");
  expect([first.statusCode, first.json()]).toMatchObject([202, { kind: "manual", state: "waiting" }]);
  expect((await mine.call("POST", "/backups")).json()).toMatchObject({ id: (first.json() as { id: string }).id });
  for (let count = 1; count < mostADay; count += 1) {
    await api.database.db.delete(backups).where(eq(backups.accountId, mine.accountId));
    api.clock.advance(1_000);
    expect((await mine.call("POST", "/backups")).statusCode).toBe(202);
  }
  await api.database.db.delete(backups).where(eq(backups.accountId, mine.accountId));
  expect((await mine.call("POST", "/backups")).json()).toMatchObject({ status: 429, code: "too_many_backups" });
  api.clock.advance(dayMs);
  expect((await mine.call("POST", "/backups")).statusCode).toBe(202);
});

test("the list says when the next nightly backup is due, and nothing while the workspace has none", async () => {
  const mine = await owner();
  const next = async () => ((await mine.call("GET", "")).json() as { nextNightlyAt: string | null }).nextNightlyAt;
  const inMs = async () => Date.parse((await next())!) - api.clock.now().getTime();
  // Created just now, so that it is not backed up before 18 hours have passed.
  expect(await inMs()).toBeGreaterThan(17 * hourMs);
  expect(await inMs()).toBeLessThanOrEqual(42 * hourMs);
  await mine.change({ createdAt: new Date(api.clock.now().getTime() - 40 * hourMs), nightlyAt: new Date(0) });
  expect(await inMs()).toBe(0);
  await mine.change({ observedState: "offline" });
  expect(await next()).toBeNull();
});

test("simultaneous requests make one backup and one export, within the daily limit", async () => {
  const mine = await owner();
  const atOnce = async <T>(ask: () => Promise<T>) => {
    await forgetCalls(api);
    return Promise.all(Array.from({ length: 25 }, ask));
  };
  const asked = await atOnce(() => mine.call("POST", "/backups"));
  expect(new Set(asked.map((answer) => (answer.json() as { id: string }).id)).size).toBe(1);
  expect(await api.database.db.select().from(backups).where(eq(backups.accountId, mine.accountId))).toHaveLength(1);
  await atOnce(() => mine.call("POST", "/workflows", { withCredentials: false }));
  expect(await api.database.db.select().from(exports).where(eq(exports.accountId, mine.accountId))).toHaveLength(1);

  // A worker that finishes each request immediately, so that the next one finds none under way.
  let isOver = false;
  const worker = (async () => {
    while (!isOver)
      await api.database.db.update(backups).set({ state: "successful", dueAt: null }).where(eq(backups.accountId, mine.accountId));
  })();
  for (let round = 0; round < 4; round += 1) await atOnce(() => mine.call("POST", "/backups"));
  isOver = true;
  await worker;
  expect(await api.database.db.select().from(backups).where(eq(backups.accountId, mine.accountId))).toHaveLength(mostADay);
});

test("a backup that an open update or restore needs can be deleted only after that has ended", async () => {
  const mine = await owner();
  const remove = async (id: string) => (await mine.call("DELETE", `/backups/${id}`)).json() as { code: string } | null;
  const [before, back, chosen] = [await made(mine, { kind: "before-update" }), await made(mine), await made(mine)];
  const workspaceId = mine.workspace.id;
  await api.database.db.insert(workspaceUpdates).values({
    id: newId(),
    workspaceId,
    life: 1,
    fromVersion: "2.40.7",
    toVersion: "2.41.0",
    askedBy: "owner",
    backupId: before.id,
    restoreBackupId: back.id,
    startedAt: api.clock.now(),
  });
  await api.database.db
    .insert(restores)
    .values({ id: newId(), workspaceId, life: 1, backupId: chosen.id, actor: "Ada", createdAt: api.clock.now() });
  for (const { id } of [before, back, chosen]) expect(await remove(id)).toMatchObject({ status: 409, code: "backup_needed" });
  expect(await api.database.db.select().from(backups).where(eq(backups.accountId, mine.accountId))).toHaveLength(3);
  expect((await api.database.db.select().from(workspaceUpdates).where(eq(workspaceUpdates.workspaceId, workspaceId)))[0]).toMatchObject({
    backupId: before.id,
    restoreBackupId: back.id,
  });
  await api.database.db.update(workspaceUpdates).set({ finishedAt: api.clock.now() }).where(eq(workspaceUpdates.workspaceId, workspaceId));
  await api.database.db.update(restores).set({ finishedAt: api.clock.now() }).where(eq(restores.workspaceId, workspaceId));
  for (const { id } of [before, back, chosen]) expect((await mine.call("DELETE", `/backups/${id}`)).statusCode).toBe(204);
});

test("of a restore and the deletion of its backup at the same moment, one is refused, whichever comes first", async () => {
  const mine = await owner();
  for (let round = 0; round < 12; round += 1) {
    await forgetCalls(api);
    const { id } = await made(mine);
    const asked = [mine.call("POST", `/backups/${id}/restore`, { accountName: mine.accountName }), mine.call("DELETE", `/backups/${id}`)];
    const [restored, deleted] = await Promise.all(round % 2 === 0 ? asked : asked.toReversed()).then((answers) =>
      round % 2 === 0 ? answers : answers.toReversed(),
    );
    const open = await api.database.db
      .select()
      .from(restores)
      .where(and(eq(restores.workspaceId, mine.workspace.id), isNull(restores.finishedAt)));
    expect([
      [202, 409, 1],
      [404, 204, 0],
      [409, 204, 0],
    ]).toContainEqual([restored!.statusCode, deleted!.statusCode, open.length]);
    await api.database.db.delete(restores).where(eq(restores.workspaceId, mine.workspace.id));
  }
});

test("no restore starts during a version change, and no version change during a restore", async () => {
  const mine = await owner({ desiredVersion: "2.40.7" });
  const row = await made(mine, { engineVersion: "2.38.7" });
  const restore = () => mine.call("POST", `/backups/${row.id}/restore`, { accountName: mine.accountName });
  await mine.change({ desiredVersion: "2.41.0" });
  expect((await restore()).json()).toMatchObject({ status: 409, code: "update_under_way" });
  await mine.change({ desiredVersion: "2.40.7" });
  await api.database.db.insert(workspaceUpdates).values({
    id: newId(),
    workspaceId: mine.workspace.id,
    life: 1,
    fromVersion: "2.40.7",
    toVersion: "2.41.0",
    askedBy: "owner",
    startedAt: api.clock.now(),
  });
  expect((await restore()).json()).toMatchObject({ code: "update_under_way" });
  await api.database.db.delete(workspaceUpdates).where(eq(workspaceUpdates.workspaceId, mine.workspace.id));

  expect((await restore()).statusCode).toBe(202);
  const other = api.services.workspace.releases.find(({ version }) => version !== "2.40.7")!.version;
  await mine.change({ desiredVersion: other, observedVersion: other });
  const newest = api.services.workspace.releases[0]!.version;
  const wanted = newest === other ? "2.40.7" : newest;
  expect((await api.call("PUT", "/api/instance/configuration", { token: mine.token, body: { versionName: wanted } })).json()).toMatchObject(
    { code: "restore_under_way" },
  );
  const asked = api.database.db.transaction((tx) =>
    requestUpdate(
      tx,
      {
        workspaceId: mine.workspace.id,
        fromVersion: other,
        toVersion: wanted,
        askedBy: "window",
        line: { event: "update-requested", message: say("paid") },
      },
      api.clock.now(),
    ),
  );
  await expect(asked).rejects.toThrow(StoryInTheWay);
  expect((await api.database.db.select().from(workspaces).where(eq(workspaces.id, mine.workspace.id)))[0]!.desiredVersion).toBe(other);
});

test("a workspace that was never online cannot be backed up or exported; a stopped one can be backed up but not exported", async () => {
  const fresh = await owner({ observedState: "starting", observedVersion: null });
  expect((await fresh.call("POST", "/backups")).json()).toMatchObject({ code: "workspace_not_online" });
  expect((await fresh.call("POST", "/workflows", { withCredentials: false })).json()).toMatchObject({ code: "workspace_not_online" });
  const stopped = await owner({ desiredState: "stopped", observedState: "stopped" });
  expect((await stopped.call("GET", "")).json()).toMatchObject({ canBackUp: true, canExport: false, canRestore: false });
  expect((await stopped.call("POST", "/backups")).statusCode).toBe(202);
  expect((await stopped.call("POST", "/workflows", { withCredentials: false })).json()).toMatchObject({ code: "workspace_not_online" });
});

test("a download needs the password, and its link delivers the file once, within five minutes, only to its owner", async () => {
  const mine = await owner();
  const other = await owner();
  const row = await made(mine);
  await store(`backups/${row.id}`, gzipSync("what was in it"));
  expect((await mine.call("POST", `/backups/${row.id}/download`, {})).statusCode).toBe(422);
  expect((await mine.call("POST", `/backups/${row.id}/download`, { password: "wrong" })).json()).toMatchObject({
    status: 403,
    code: "wrong_password",
    errors: [{ path: "password" }],
  });
  const link = async () => ((await mine.call("POST", `/backups/${row.id}/download`, { password })).json() as { url: string }).url;
  const path = new URL(await link()).pathname;
  expect((await api.call("GET", path, { token: other.token })).json()).toMatchObject({ status: 410, code: "download_link_invalid" });
  // A link's preview neither uses it up nor finds it dead.
  expect((await api.call("HEAD", path, { token: mine.token })).statusCode).toBe(200);
  expect((await api.call("HEAD", path, { token: other.token })).statusCode).toBe(410);
  const file = await api.call("GET", path, { token: mine.token });
  expect(file.statusCode).toBe(200);
  expect(file.headers).toMatchObject({
    "content-type": "application/gzip",
    "cache-control": "no-store",
    "content-disposition": expect.stringMatching(new RegExp(`^attachment; filename="${mine.accountName}-backup-[\\d-]+\\.tar\\.gz"$`)),
  });
  expect(gunzipSync(file.rawPayload).toString()).toBe("what was in it");
  expect((await api.call("GET", path, { token: mine.token })).statusCode).toBe(410);
  const late = new URL(await link()).pathname;
  api.clock.advance(5 * minuteMs + 1);
  expect((await api.call("GET", late, { token: mine.token })).statusCode).toBe(410);
  expect(await api.database.db.select().from(auditLog).where(eq(auditLog.action, "backup.downloaded"))).toHaveLength(1);
});

test("a link that gives no file leads a browser back to its page with the reason, and tells programs the problem", async () => {
  const mine = await owner();
  const row = await made(mine);
  await store(`backups/${row.id}`, gzipSync("what was in it"));
  const link = async () => {
    const { url } = (await mine.call("POST", `/backups/${row.id}/download`, { password })).json() as { url: string };
    return url.slice(new URL(url).origin.length);
  };
  const follow = async (path: string, token: string | undefined, headers: Record<string, string> = { "sec-fetch-mode": "navigate" }) => {
    const answer = await api.call("GET", path, { ...(token ? { token } : {}), headers });
    return { status: answer.statusCode, to: answer.headers.location && new URL(String(answer.headers.location)) };
  };
  const path = await link();
  expect((await follow(path, mine.token)).status).toBe(200);
  const used = await follow(path, mine.token);
  expect(used.status).toBe(303);
  expect(used.to).toMatchObject({ pathname: "/manage/backups", origin: "http://localhost:3000" });
  expect(Object.fromEntries((used.to as URL).searchParams)).toEqual({ download: "download_link_invalid", request: expect.any(String) });
  // Of an export, whoever opens it: a browser that says nothing of navigation, too.
  const ofExport = path.replace("of=backup", "of=export");
  expect((await follow(ofExport, (await owner()).token, { accept: "text/html,*/*" })).to).toMatchObject({ pathname: "/manage/export" });
  // After signing in, the page is shown as usual: the link was not used.
  const late = await link();
  expect((await follow(late, undefined)).to).toMatchObject({ pathname: "/manage/backups", search: "" });
  expect((await follow(late, "a-session-that-has-ended")).to).toMatchObject({ pathname: "/manage/backups", search: "" });
  api.clock.advance(5 * minuteMs + 1);
  expect((await follow(late, mine.token)).status).toBe(303);
  expect((await follow(late, mine.token, { "sec-fetch-mode": "cors", accept: "text/html" })).status).toBe(410);
  expect((await follow(late, mine.token, {})).status).toBe(410);
});

test("a restore needs the account's name, a usable backup and a workspace that should run; one at a time", async () => {
  const mine = await owner();
  const row = await made(mine);
  const restore = (id = row.id, accountName = mine.accountName) => mine.call("POST", `/backups/${id}/restore`, { accountName });
  expect((await restore(row.id, "another")).json()).toMatchObject({
    status: 422,
    errors: [{ path: "accountName", code: "account_name.confirmation" }],
  });
  expect((await restore((await made(mine, { state: "failed" })).id)).json()).toMatchObject({ code: "backup_not_usable" });
  expect((await restore((await made(mine, { engineVersion: "2.41.0" })).id)).json()).toMatchObject({ code: "backup_newer" });
  expect((await restore((await made(mine, { workspaceId: "0199a000-0000-7000-8000-000000000000" })).id)).json()).toMatchObject({
    code: "backup_not_usable",
  });
  await mine.change({ desiredState: "stopped" });
  expect((await restore()).json()).toMatchObject({ code: "workspace_not_online" });
  await mine.change({ desiredState: "running", reconcileAt: null });
  const asked = await restore();
  expect([asked.statusCode, asked.json()]).toMatchObject([202, { backupId: row.id, state: "waiting" }]);
  expect((await restore()).json()).toMatchObject({ status: 409, code: "restore_under_way" });
  const [after] = await api.database.db.select().from(workspaces).where(eq(workspaces.id, mine.workspace.id));
  expect(after!.reconcileAt).not.toBeNull();
  expect((await mine.call("GET", "")).json()).toMatchObject({ restore: { state: "waiting" } });
  expect(await api.database.db.select().from(restores).where(eq(restores.workspaceId, mine.workspace.id))).toHaveLength(1);
});

test.each(["workspace", "operator"] as const)(
  "a session that was opened by a %s restores, deletes and takes nothing before the password was typed",
  async (by) => {
    const mine = await owner();
    const row = await made(mine);
    await mine.openedBy(by);
    expect((await mine.call("POST", `/backups/${row.id}/restore`, { accountName: mine.accountName })).json()).toMatchObject({
      status: 403,
      code: "password_needed",
    });
    expect((await mine.call("DELETE", `/backups/${row.id}`)).json()).toMatchObject({ code: "password_needed" });
    expect(await api.database.db.select().from(backups).where(eq(backups.id, row.id))).toHaveLength(1);
  },
);

test("a deleted backup is gone from storage and from the list; one under way cannot be deleted", async () => {
  const mine = await owner();
  const row = await made(mine);
  await store(`backups/${row.id}`, Buffer.from("x"));
  expect((await mine.call("DELETE", `/backups/${row.id}`)).statusCode).toBe(204);
  expect((await mine.call("GET", "")).json()).toMatchObject({ backups: [] });
  await expect(api.services.stored.storage.read(`backups/${row.id}`)).rejects.toThrow("nothing is stored");
  const running = await made(mine, { state: "running" });
  expect((await mine.call("DELETE", `/backups/${running.id}`)).json()).toMatchObject({ code: "backup_not_usable" });
});

test("one export at a time can be requested; credentials need the password and a long passphrase, which is never stored", async () => {
  const mine = await owner();
  const ask = (body: object) => mine.call("POST", "/workflows", body);
  expect((await ask({ withCredentials: true, passphrase: "short", password })).statusCode).toBe(422);
  expect((await ask({ withCredentials: true, passphrase: "long enough, really", password: "wrong" })).json()).toMatchObject({
    code: "wrong_password",
  });
  expect(await api.database.db.select().from(exports).where(eq(exports.accountId, mine.accountId))).toHaveLength(0);
  const asked = await ask({ withCredentials: true, passphrase: "long enough, really", password });
  expect([asked.statusCode, asked.json()]).toMatchObject([202, { state: "waiting", withCredentials: true }]);
  const { id } = asked.json() as { id: string };
  expect((await ask({ withCredentials: true, passphrase: "long enough, really", password })).json()).toMatchObject({ id });
  expect((await ask({ withCredentials: true, passphrase: "another one, as long", password })).json()).toMatchObject({
    status: 409,
    code: "export_under_way",
  });
  // An export without credentials never replaces one with credentials, or the reverse.
  expect((await ask({ withCredentials: false })).json()).toMatchObject({ id: expect.not.stringMatching(id), withCredentials: false });
  const [row] = await api.database.db.select().from(exports).where(eq(exports.id, id));
  expect(row!.credentialsKey).not.toContain("long enough");
  expect(JSON.parse(api.services.secrets.decrypt(row!.credentialsKey!, "export"))).toEqual({
    key: expect.any(String),
    salt: expect.any(String),
  });
  expect((await mine.call("POST", `/exports/${id}/download`)).json()).toMatchObject({ code: "export_not_found" });
  await api.database.db.update(exports).set({ state: "ready", finishedAt: api.clock.now() }).where(eq(exports.id, id));
  await store(`exports/${id}`, Buffer.from("a zip"));
  const { url } = (await mine.call("POST", `/exports/${id}/download`)).json() as { url: string };
  const file = await api.call("GET", new URL(url).pathname, { token: mine.token });
  expect([file.statusCode, file.headers["content-type"], file.body]).toEqual([200, "application/zip", "a zip"]);
});

test("a deleted export is gone from storage and from the list, with its link; one under way, or another account's, stays", async () => {
  const [mine, other] = [await owner(), await owner()];
  const exported = async () => ((await mine.call("GET", "")).json() as { exports: { id: string }[] }).exports.map(({ id }) => id);
  const { id } = (await mine.call("POST", "/workflows", { withCredentials: false })).json() as { id: string };
  expect((await mine.call("DELETE", `/exports/${id}`)).json()).toMatchObject({ status: 409, code: "export_not_finished" });
  await api.database.db.update(exports).set({ state: "ready", finishedAt: api.clock.now() }).where(eq(exports.id, id));
  await store(`exports/${id}`, Buffer.from("a zip"));
  const { url } = (await mine.call("POST", `/exports/${id}/download`)).json() as { url: string };
  expect((await other.call("DELETE", `/exports/${id}`)).json()).toMatchObject({ code: "export_not_found" });
  expect(await exported()).toEqual([id]);
  await mine.openedBy("workspace");
  expect((await mine.call("DELETE", `/exports/${id}`)).json()).toMatchObject({ code: "password_needed" });
  await api.database.db
    .update(sessions)
    .set({ openedBy: "password" })
    .where(eq(sessions.tokenHash, hashToken(mine.token)));
  expect((await mine.call("DELETE", `/exports/${id}`)).statusCode).toBe(204);
  expect(await exported()).toEqual([]);
  await expect(api.services.stored.storage.read(`exports/${id}`)).rejects.toThrow("nothing is stored");
  expect((await api.call("GET", new URL(url).pathname, { token: mine.token })).json()).toMatchObject({ code: "download_link_invalid" });
  expect((await mine.call("DELETE", `/exports/${id}`)).json()).toMatchObject({ code: "export_not_found" });
});

test("an export that is deleted twice is deleted once, gets no link meanwhile, and stays gone if the clock is set back", async () => {
  const mine = await owner();
  const { db } = api.database;
  const { id } = (await mine.call("POST", "/workflows", { withCredentials: false })).json() as { id: string };
  await db.update(exports).set({ state: "ready", finishedAt: api.clock.now() }).where(eq(exports.id, id));
  // Its file cannot be removed now, so its row stays until the sweep.
  const remove = vi.spyOn(api.services.stored.storage, "remove").mockRejectedValue(new Error("no storage"));
  onTestFinished(() => remove.mockRestore());
  const answers = await db.transaction(async (tx) => {
    await tx.select().from(exports).where(eq(exports.id, id)).for("update");
    // A call begins once its answer is asked for.
    const calls = Promise.all([mine.call("DELETE", `/exports/${id}`), mine.call("DELETE", `/exports/${id}`)]);
    await waitForLocks(api.database.pool, 2);
    return { calls };
  });
  const codes = (await answers.calls).map(({ statusCode }) => statusCode);
  expect(codes.toSorted()).toEqual([204, 404]);
  const rows = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountId, mine.accountId), eq(auditLog.action, "export.deleted")));
  expect(rows).toHaveLength(1);
  expect((await mine.call("POST", `/exports/${id}/download`)).json()).toMatchObject({ code: "export_not_found" });
  expect(await listExports(db, mine.accountId, after(api.clock.now(), -minuteMs), 10)).toEqual([]);
});

test("a link to an export that is being deleted is refused", async () => {
  const mine = await owner();
  const { db } = api.database;
  const { id } = (await mine.call("POST", "/workflows", { withCredentials: false })).json() as { id: string };
  await db.update(exports).set({ state: "ready", finishedAt: api.clock.now() }).where(eq(exports.id, id));
  const asked = await db.transaction(async (tx) => {
    await expireExport(tx, id, api.clock.now());
    const call = mine.call("POST", `/exports/${id}/download`).then((answer) => answer);
    await waitForLocks(api.database.pool, 1);
    return { call };
  });
  expect((await asked.call).json()).toMatchObject({ code: "export_not_found" });
});

test("of two simultaneous exports with credentials and different passphrases, one is made and the other refused", async () => {
  const mine = await owner();
  const ask = (passphrase: string) => mine.call("POST", "/workflows", { withCredentials: true, passphrase, password });
  const answers = await Promise.all([ask("long enough, really"), ask("another one, as long")]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409]);
  expect(await api.database.db.select().from(exports).where(eq(exports.accountId, mine.accountId))).toHaveLength(1);
});

test("versions are compared by number, not as text", () => {
  expect([
    isNewer("2.40.7", "2.38.7"),
    isNewer("2.9.0", "2.40.0"),
    isNewer("2.40.7", "2.40.7"),
    isNewer("10.0.0", "9.9.9"),
    isNewer("4.1.15", "4.1.2"),
  ]).toEqual([true, false, false, true, true]);
});
