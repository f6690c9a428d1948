/** Backups, exports and the mails that they write are parts of the trace of the call that requested them. */
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { exports, mails } from "#database/tables.ts";
import { insertBackup } from "#domain/backups/backup-queue.ts";
import { insertExport } from "#domain/exports/export-store.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { startMailLoop } from "#domain/mail/sending/mail-loop.ts";
import { after, dayMs, systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { createSecrets } from "#platform/secrets.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { createOtlpTracer } from "#platform/tracing/otlp-tracer.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { startCollector } from "#testing/network/start-collector.ts";
import type { EngineExportFile } from "../engines/port/engine-copies.ts";
import { createExportWork } from "../exports/export-work.ts";
import { startBackupLoop } from "./backup-loop.ts";

const log = createLog("silent");

test("a backup, one that fails, an export and its mail are parts of the calls that requested them", async () => {
  await using collector = await startCollector();
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const tracer = createOtlpTracer({ endpoint: collector.url, headers: {} }, {}, log);
  fleet.startLoop();
  async function* read(): AsyncGenerator<EngineExportFile> {
    yield { kind: "workflow", path: "workflows/one.json", content: "{}", count: 1 };
  }
  Object.assign(fleet.engine, { exports: { read, companions: () => [] } });
  const workspaceId = await fleet.want("acme");
  const row = await fleet.until(workspaceId, ({ observedState }) => observedState === "online");
  fleet.world.get(workspaceId).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');

  const click = <T>(name: string, call: (now: Date) => Promise<T>) => asSpan({}, tracer.begin(name), () => call(new Date()));
  const { accountId } = row;
  await click("POST /backups", (now) => requestBackup(db, row, "manual", now));
  const gone = { accountId, workspaceId: newId(), kind: "manual", engine: "n8n", engineVersion: "2.0.0" } as const;
  await click("POST /backups of another", (now) => insertBackup(db, gone, now));
  const wanted = { accountId, workspaceId, withCredentials: false, credentialsKey: null, keptUntil: after(new Date(), dayMs) };
  await click("POST /exports", (now) => insertExport(db, wanted, now));

  const tools = { ...fleet.backupTools, tracer };
  const secrets = createSecrets("a key for tests, long enough to be one");
  const loop = startBackupLoop(tools, [createExportWork({ ...tools, secrets, publicUrl: "http://localhost:3000" })]);
  const transport = { keepsBody: false, send: () => Promise.resolve("250 OK"), close: () => undefined };
  const notifications = createNotifications({ connection: fleet.database.connection, log });
  const mailLoop = await startMailLoop({ db, notifications, transport, clock: systemClock, log, tracer });
  onTestFinished(async () => void (await Promise.all([loop.stop(), mailLoop.stop()])));
  await vi.waitFor(
    async () => {
      expect((await db.select({ state: exports.state }).from(exports))[0]?.state).toBe("ready");
      expect(await db.$count(mails, eq(mails.attempts, 0))).toBe(1);
      expect((await db.select({ sentAt: mails.sentAt }).from(mails))[0]?.sentAt).not.toBeNull();
      expect((await fleet.database.pool.query("select state from backups order by state")).rows).toEqual([
        { state: "failed" },
        { state: "successful" },
      ]);
    },
    { timeout: 20_000, interval: 100 },
  );
  await Promise.all([loop.stop(), mailLoop.stop()]);
  await tracer.close();

  const tree = (call: string) => {
    const spans = collector.traceOf(call);
    const nameOf = (id: string) => spans.find(({ spanId }) => spanId === id)?.name;
    return spans.map(({ name, parentSpanId, failure }) => [name, nameOf(parentSpanId), failure]).toSorted();
  };
  expect(tree("POST /backups")).toEqual([
    ["POST /backups", undefined, undefined],
    ["backup", "POST /backups", undefined],
    ["copy", "backup", undefined],
    ["verify", "backup", undefined],
  ]);
  expect(tree("POST /backups of another")).toEqual([
    ["POST /backups of another", undefined, undefined],
    ["backup", "POST /backups of another", "missing"],
  ]);
  expect(tree("POST /exports")).toEqual([
    ["POST /exports", undefined, undefined],
    ["export", "POST /exports", undefined],
    ["mail", "export", undefined],
  ]);
});
