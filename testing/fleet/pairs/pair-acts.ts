/** The fourteen acts of owner, service and operator on one workspace, as they begin and as they end. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { backups, exports, fleetUpdates, fleetUpdateWorkspaces, restores, workspaces, workspaceUpdates } from "#database/tables.ts";
import { assignPlan } from "#domain/billing/subscription/assign-plan.ts";
import { suspendAccount } from "#domain/journeys/suspend-account/suspend-account.ts";
import { findOpenFleetUpdate } from "#domain/updates/fleet/fleet-update-store.ts";
import { FleetChoiceInvalid } from "#domain/updates/fleet/plan-fleet-update.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import type { PairHost, PairScene } from "./pair-host.ts";
import { beginFleetUpdate, lookOnce } from "../fleet-update-scene.ts";
import { versions } from "../story-scene.ts";

export const actNames = [
  "launch",
  "update",
  "rollback",
  "restore",
  "backup",
  "export",
  "settings",
  "plan change",
  "restart",
  "sleep",
  "wake",
  "suspend",
  "delete",
  "fleet wave",
] as const;
export type ActName = (typeof actNames)[number];

/** `open`: it has neither happened nor ended. `ended`: it will not happen any more. */
type ActState = "open" | "done" | "ended";

/** An act that has begun. */
export interface Begun {
  /** `isQuiet`: nothing is left to do for any worker, so what has not happened will not. */
  state(isQuiet: boolean): Promise<ActState>;
}

/** The act was refused: the status and code of the API, or the words for an operator. */
export class Refused extends Error {
  override readonly name = "Refused";
}

interface Act {
  /** Brings a running workspace to where the act makes sense. */
  prepare?(host: PairHost, scene: PairScene): Promise<void>;
  /** Throws Refused. `isSecond`: another act is under way. */
  begin(host: PairHost, scene: PairScene, isSecond?: boolean): Promise<Begun>;
  /** The journal's lines about it: that it was requested, and that it was done. */
  lines?: { asked?: JournalEvent; done?: JournalEvent };
  /** The subject of the mail that is sent once it was requested, or once it was done. */
  mails?: { asked?: RegExp; done?: RegExp };
}

async function call(
  { api }: PairHost,
  { token }: PairScene,
  method: "POST" | "PUT",
  path: string,
  body?: object,
): Promise<{ id?: string }> {
  const answer = await api.call(method, `/api${path}`, { token, ...(body && { body }) });
  const said = answer.json<{ id?: string; code?: string; errors?: { code: string }[] }>();
  if (answer.statusCode >= 400) throw new Refused(`${answer.statusCode} ${said.errors?.[0]?.code ?? said.code}`);
  return said;
}

const once = (isDone: () => Promise<boolean>): Begun => ({
  async state(isQuiet) {
    if (await isDone()) return "done";
    return isQuiet ? "ended" : "open";
  },
});

const stateOfRow = (state: string | undefined, good: string): ActState => {
  if (state === good) return "done";
  return state === "waiting" || state === "running" ? "open" : "ended";
};

/** The newest change of version. */
async function changeOfVersion({ fleet }: PairHost, { id }: PairScene): Promise<Begun> {
  const { db } = fleet.database;
  const [row] = await db
    .select({ id: workspaceUpdates.id })
    .from(workspaceUpdates)
    .where(eq(workspaceUpdates.workspaceId, id))
    .orderBy(desc(workspaceUpdates.startedAt))
    .limit(1);
  return {
    async state() {
      const [now] = await db.select().from(workspaceUpdates).where(eq(workspaceUpdates.id, row!.id));
      return stateOfRow(now?.state, "successful");
    },
  };
}

const isOnline = async ({ row }: PairScene): Promise<boolean> => {
  const { observedState, observedGeneration, generation, desiredState } = await row();
  return desiredState === "running" && observedState === "online" && observedGeneration === generation;
};

/** The one after the version that is desired now. */
async function nextVersion({ row }: PairScene): Promise<string> {
  const { desiredVersion } = await row();
  return versions[versions.findIndex((version) => version === desiredVersion) + 1]!;
}

export const acts: Readonly<Record<ActName, Act>> = {
  launch: {
    async begin(host, scene, isSecond = false) {
      // The first launch was requested with the scene.
      if (isSecond) await call(host, scene, "POST", "/instance", { timezone: "Etc/UTC" });
      let wasOnline = false;
      return once(async () => (wasOnline ||= await isOnline(scene)));
    },
    lines: { asked: "requested", done: "online" },
  },
  update: {
    async begin(host, scene) {
      const versionName = await nextVersion(scene);
      const { db } = host.fleet.database;
      const ofOwner = and(
        eq(workspaceUpdates.workspaceId, scene.id),
        eq(workspaceUpdates.askedBy, "owner"),
        eq(workspaceUpdates.toVersion, versionName),
        isNull(workspaceUpdates.restoreBackupId),
      );
      const before = await db.$count(workspaceUpdates, ofOwner);
      await call(host, scene, "PUT", "/instance/configuration", { versionName });
      return {
        async state(isQuiet) {
          // Its row is written by the worker that begins it.
          const rows = await db.select().from(workspaceUpdates).where(ofOwner).orderBy(desc(workspaceUpdates.startedAt));
          if (rows.length > before) return stateOfRow(rows[0]!.state, "successful");
          if (!isQuiet) return "open";
          // A launch that had not started anything yet begins with it.
          return (await scene.row()).observedVersion === versionName ? "done" : "ended";
        },
      };
    },
    lines: { asked: "settings-changed", done: "updated" },
    mails: { done: /^Your workspace now runs/ },
  },
  rollback: {
    async prepare(host, scene) {
      await call(host, scene, "PUT", "/instance/configuration", { versionName: versions[1] });
      for (let passes = 0; passes < 30 && (await scene.row()).observedVersion !== versions[1]; passes += 1) await scene.pass();
      for (let passes = 0; passes < 30 && (await scene.openRows()).updates.length > 0; passes += 1) await scene.pass();
      scene.work("after the update");
    },
    async begin(host, scene) {
      await call(host, scene, "POST", "/instance/rollback", { accountName: scene.accountName });
      return changeOfVersion(host, scene);
    },
    lines: { asked: "roll-back-requested", done: "rolled-back" },
    mails: { done: /^Your workspace is back on/ },
  },
  restore: {
    async begin(host, scene) {
      const { db } = host.fleet.database;
      const [backup] = await db
        .select({ id: backups.id })
        .from(backups)
        .where(and(eq(backups.workspaceId, scene.id), eq(backups.kind, "manual"), eq(backups.state, "successful")))
        .orderBy(backups.createdAt)
        .limit(1);
      await call(host, scene, "POST", `/export/backups/${backup?.id ?? newId()}/restore`, { accountName: scene.accountName });
      const [row] = await db
        .select({ id: restores.id })
        .from(restores)
        .where(eq(restores.workspaceId, scene.id))
        .orderBy(desc(restores.createdAt));
      return {
        async state() {
          const [now] = await db.select({ state: restores.state }).from(restores).where(eq(restores.id, row!.id));
          return stateOfRow(now?.state, "successful");
        },
      };
    },
    lines: { done: "restored" },
  },
  backup: {
    async begin(host, scene) {
      const { id } = await call(host, scene, "POST", "/export/backups");
      return {
        async state() {
          const [now] = await host.fleet.database.db.select({ state: backups.state }).from(backups).where(eq(backups.id, id!));
          return stateOfRow(now?.state, "successful");
        },
      };
    },
  },
  export: {
    async begin(host, scene) {
      const { id } = await call(host, scene, "POST", "/export/workflows", { withCredentials: false });
      return {
        async state() {
          const [now] = await host.fleet.database.db.select({ state: exports.state }).from(exports).where(eq(exports.id, id!));
          return stateOfRow(now?.state, "ready");
        },
      };
    },
    mails: { done: /^Your export is ready/ },
  },
  settings: {
    async begin(host, scene) {
      await call(host, scene, "PUT", "/instance/configuration", { timezone: "Asia/Tokyo" });
      const { id } = scene;
      // Those of a workspace that stops are kept for its next start.
      return {
        async state(isQuiet) {
          const isApplied = host.fleet.world.workspaces.get(id)?.run?.spec.env["TZ"] === "Asia/Tokyo";
          if (isApplied) return "done";
          if (!isQuiet) return "open";
          const { timezone, desiredState } = await scene.row();
          return timezone === "Asia/Tokyo" && desiredState === "stopped" ? "done" : "ended";
        },
      };
    },
    lines: { asked: "settings-changed" },
  },
  "plan change": {
    async begin(host, scene) {
      const { services } = host.api;
      const parts = { ...services.billing, clock: services.clock };
      const refusal = await assignPlan(parts, scene.accountId, "pro-2-yearly", null, "grace");
      if (refusal) throw new Refused("has it already");
      const isTold = () => host.fleet.engine.plans.get(scene.id)?.at(-1)?.id.startsWith("pro-2");
      // A workspace that stops is told at its next start.
      return {
        async state(isQuiet) {
          const { memoryMb, desiredState } = await scene.row();
          if (memoryMb !== 2048) return isQuiet ? "ended" : "open";
          if (isTold()) return "done";
          return isQuiet ? (desiredState === "running" ? "ended" : "done") : "open";
        },
      };
    },
  },
  restart: {
    async begin(host, scene) {
      const { id } = scene;
      const before = host.fleet.world.workspaces.get(id)?.run?.instance;
      await call(host, scene, "PUT", "/instance/restart");
      let isNew = false;
      return once(async () => {
        const now = host.fleet.world.workspaces.get(id)?.run?.instance;
        return (isNew ||= now !== undefined && now !== before && (await isOnline(scene)));
      });
    },
    lines: { asked: "restart-requested" },
  },
  sleep: {
    async begin({ fleet }, scene) {
      await fleet.database.db
        .update(workspaces)
        .set({ startedAt: sql`${workspaces.startedAt} - interval '3 hours'`, usedAt: null, wakeAskedAt: null })
        .where(eq(workspaces.id, scene.id));
      let slept = false;
      return once(async () => (slept ||= (await scene.row()).asleepSince !== null));
    },
    lines: { done: "asleep" },
  },
  wake: {
    async prepare({ fleet }, scene) {
      await fleet.database.db
        .update(workspaces)
        .set({ startedAt: after(new Date(), -3 * hourMs), usedAt: null, wakeAskedAt: null })
        .where(eq(workspaces.id, scene.id));
      for (let passes = 0; passes < 10 && (await scene.row()).asleepSince === null; passes += 1) await scene.passAs(undying, true);
      if ((await scene.row()).asleepSince === null) throw new Error("it does not fall asleep");
    },
    async begin({ fleet }, scene) {
      await recordUse(fleet.database.db, [scene.id], new Date());
      return once(async () => {
        const { asleepSince, coldSince, observedState } = await scene.row();
        return asleepSince === null && coldSince === null && observedState === "online";
      });
    },
  },
  suspend: {
    async begin({ api }, { accountId, accountName, row }) {
      await suspendAccount(
        { ...api.services, supportEmail: "help@s.example" },
        { accountId, accountName },
        { by: "grace", reason: "It sends spam.", until: null },
      );
      let wasStopped = false;
      return once(async () => (wasStopped ||= ["stopped", "deleted"].includes((await row()).observedState)));
    },
    lines: { asked: "suspended", done: "stopped" },
    mails: { asked: /was suspended$/ },
  },
  delete: {
    async begin(host, scene) {
      await call(host, scene, "POST", "/instance/delete", { accountName: scene.accountName });
      return once(async () => (await scene.row()).observedState === "deleted");
    },
    lines: { asked: "deletion-requested", done: "deleted" },
    mails: { asked: /is being deleted$/ },
  },
  "fleet wave": {
    async begin({ fleet }, scene) {
      const { id, accountName } = scene;
      const toVersion = await nextVersion(scene);
      const { db } = fleet.database;
      if (await findOpenFleetUpdate(db, "n8n")) throw new Refused("one at a time");
      const update = await beginFleetUpdate(
        fleet,
        { only: [accountName], toVersion, releases: versions.map(asRelease).toReversed(), waves: [{ percent: 100 }] },
        { toVersion },
      ).catch((error: unknown) => {
        if (error instanceof FleetChoiceInvalid) throw new Refused("not in the plan");
        throw error;
      });
      const planned = async () =>
        (
          await db
            .select({ state: fleetUpdateWorkspaces.state, reason: fleetUpdateWorkspaces.reason })
            .from(fleetUpdateWorkspaces)
            .where(and(eq(fleetUpdateWorkspaces.fleetUpdateId, update.id), eq(fleetUpdateWorkspaces.workspaceId, id)))
        )[0];
      const first = await planned();
      if (first?.state !== "waiting") {
        await db.update(fleetUpdates).set({ state: "ended", finishedAt: new Date() }).where(eq(fleetUpdates.id, update.id));
        throw new Refused(`left out: ${first?.reason ?? "runs it already"}`);
      }
      await lookOnce(fleet);
      return {
        async state(isQuiet) {
          await lookOnce(fleet);
          const now = (await planned())!;
          if (now.state === "updated") return "done";
          // What waits in the plan was never begun.
          if (now.state === "waiting" && isQuiet) return "ended";
          return now.state === "waiting" || now.state === "updating" ? "open" : "ended";
        },
      };
    },
    lines: { asked: "update-requested", done: "updated" },
    mails: { done: /^Your workspace now runs/ },
  },
};

const asRelease = (version: string, migrations: number) => ({ version, migrations, releasedAt: "2026-01-01", channel: "stable" as const });
const undying = { isDead: () => false, step: <T>(work: () => Promise<T>) => work() };
