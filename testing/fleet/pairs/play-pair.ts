/** Plays two acts on one workspace, the second at one step of the first, and checks that everything agrees afterwards. */
import { and, eq, isNull } from "drizzle-orm";
import { createExportWork } from "#apps/provisioner/exports/export-work.ts";
import { backups, exports, fleetUpdates, mails, restores, workspaceJournal, workspaceUpdates } from "#database/tables.ts";
import { resumeAccount } from "#domain/journeys/suspend-account/resume-account.ts";
import { newId } from "#platform/ids.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { createInterrupted, createMortal, type Mortal } from "../mortal-process.ts";
import { untilAnsweredOrWaiting } from "../../database/held-lock.ts";
import { acts, Refused, type ActName, type Begun } from "./pair-acts.ts";
import type { PairHost, PairScene } from "./pair-host.ts";

export interface Played {
  /**
   * `409 code`: the second was refused. `both`: both happened, one after the other where both move data. `replaces`: the second
   * happened, and the first ended without it. `resumes`: the same, but the first happened once the workspace ran again. `yields`: the first happened, and the second ended without it. `neither`: both ended.
   */
  outcome: string;
  /** What does not agree afterwards. */
  violations: string[];
}

const mostRounds = 60;
const withRows: ReadonlySet<ActName> = new Set(["update", "rollback", "restore", "backup", "export", "fleet wave"]);

/** Plays `second` before the `at`th change that a worker makes for `first`; null if the worker makes fewer. */
export async function playPair(host: PairHost, first: ActName, second: ActName, at: number): Promise<Played | null> {
  const scene = await host.launch();
  const { db, pool } = host.fleet.database;
  const sleeps = [first, second].some((name) => name === "sleep" || name === "wake");
  const undying = createMortal(Infinity, false);
  if (first !== "launch") await prepare(host, scene, first, second);
  const before = await countLines(host, scene);
  const begun: { first: Begun; second?: Begun; refusal?: string } = { first: await acts[first].begin(host, scene) };

  let beginning: Promise<void> | undefined;
  const interrupt = async (): Promise<void> => {
    beginning = acts[second].begin(host, scene, true).then(
      (act) => void (begun.second = act),
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        begun.refusal = error.message;
      },
    );
    // It may wait for a lock of the worker that is interrupted here. A failure is thrown below.
    await untilAnsweredOrWaiting(
      pool,
      beginning.catch(() => undefined),
    );
  };
  const worker = createInterrupted(at, interrupt);
  for (let rounds = 0; !worker.wasInterrupted(); rounds += 1) {
    if (rounds > mostRounds) throw new Error(`${first} alone does not end: ${JSON.stringify(await scene.row())}`);
    await oneRound(host, scene, worker, first === "sleep" || first === "wake");
    if (!worker.wasInterrupted() && (await begun.first.state(await isQuiet(host, scene))) !== "open") return null;
  }
  await beginning;

  let wasResumed = false;
  const states: Record<"first" | "second", string> = { first: "open", second: begun.second ? "open" : "refused" };
  for (let rounds = 0, quiet = 0; ; rounds += 1) {
    if (rounds > mostRounds) throw new Error(`it does not end: ${JSON.stringify([states, await scene.row(), await scene.openRows()])}`);
    // What has not happened after two rounds in which nothing was left to do will not.
    quiet = (await isQuiet(host, scene)) ? quiet + 1 : 0;
    for (const which of ["first", "second"] as const) {
      const act = begun[which];
      if (!act || (states[which] !== "open" && withRows.has(which === "first" ? first : second))) continue;
      states[which] = await act.state(quiet > 2);
    }
    if (quiet > 2 && !Object.values(states).includes("open")) break;
    // A change of version that a stop interrupted continues once the workspace runs again.
    if (quiet > 2 && !wasResumed && second === "suspend" && states.second === "done") {
      wasResumed = true;
      await resumeAccount({ ...host.api.services, lastBackupDays: 30 }, scene.accountId, { operator: "grace" });
    }
    await oneRound(host, scene, undying, sleeps);
  }
  await db.update(fleetUpdates).set({ state: "ended", finishedAt: new Date() }).where(isNull(fleetUpdates.finishedAt));
  const outcome = wasResumed && states.first === "done" ? "resumes" : outcomeOf(states, begun.refusal);
  return { outcome, violations: await disagreements(host, scene, { first, second, states, before }) };
}

async function prepare(host: PairHost, scene: PairScene, first: ActName, second: ActName): Promise<void> {
  const launch = await acts.launch.begin(host, scene);
  for (let rounds = 0; (await launch.state(false)) === "open"; rounds += 1) {
    if (rounds > mostRounds) throw new Error("the launch does not end");
    await scene.pass();
  }
  scene.work("in the backup");
  const { token, id } = scene;
  const { db } = host.fleet.database;
  await host.api.call("POST", "/api/export/backups", { token });
  const made = and(eq(backups.workspaceId, id), eq(backups.state, "successful"));
  for (let rounds = 0; (await db.$count(backups, made)) === 0; rounds += 1) {
    if (rounds > mostRounds) throw new Error("the backup is not made");
    await scene.makeBackups();
  }
  scene.work("before");
  // A workspace falls asleep last: everything else would wake it.
  const names = first === "wake" ? [second, first] : [first, second];
  for (const name of names) if (name !== "wake" || name === first) await acts[name].prepare?.(host, scene);
}

/** Every worker looks once. */
async function oneRound(host: PairHost, scene: PairScene, process: Mortal, sleeps: boolean): Promise<void> {
  const { pool } = host.fleet.database;
  await scene.passAs(process, sleeps);
  await scene.makeBackupsAs(process);
  await pool.query("update exports set due_at = now() where workspace_id = $1 and due_at is not null", [scene.id]);
  const { secrets, publicUrl } = host.api.services;
  await Promise.all(await createExportWork({ ...scene.toolsOf(process), secrets, publicUrl }).claim(newId()));
}

async function isQuiet({ fleet }: PairHost, { id, row, openRows }: PairScene): Promise<boolean> {
  const { db } = fleet.database;
  const { desiredState, observedState, generation, observedGeneration, asleepSince, wakeAskedAt } = await row();
  const open = await openRows();
  const isOpen = (table: typeof backups | typeof exports) => and(eq(table.workspaceId, id), isNull(table.finishedAt));
  if ((await db.$count(backups, isOpen(backups))) + (await db.$count(exports, isOpen(exports))) > 0) return false;
  if (desiredState === "stopped") return observedState === "stopped" && open.restores.length === 0;
  if (open.updates.length + open.restores.length > 0 || (asleepSince && wakeAskedAt)) return false;
  return observedState === (desiredState === "running" ? "online" : "deleted") && generation === observedGeneration;
}

function outcomeOf({ first, second }: Record<string, string>, refusal: string | undefined): string {
  if (refusal) return first === "done" ? refusal : `${refusal}, and the first is ${first}`;
  if (first === "done") return second === "done" ? "both" : "yields";
  return second === "done" ? "replaces" : "neither";
}

/** How often each line is in the journal. */
async function countLines({ fleet }: PairHost, { id }: PairScene): Promise<Map<string, number>> {
  const lines = await fleet.database.db
    .select({ event: workspaceJournal.event })
    .from(workspaceJournal)
    .where(eq(workspaceJournal.workspaceId, id));
  const counted = new Map<string, number>();
  for (const { event } of lines) counted.set(event, (counted.get(event) ?? 0) + 1);
  return counted;
}

interface Ended {
  first: ActName;
  second: ActName;
  states: Record<"first" | "second", string>;
  before: Map<string, number>;
}

/** State, data, history, mails and journal, compared with each other and with what was played. */
async function disagreements(host: PairHost, scene: PairScene, { first, second, states, before }: Ended): Promise<string[]> {
  const { db } = host.fleet.database;
  const found = [...scene.violations];
  const row = await scene.row();
  const run = host.fleet.world.workspaces.get(scene.id)?.run;
  // Asleep, it may have been stopped.
  if (row.desiredState === "running" && !row.asleepSince && run?.spec.command[1] !== row.desiredVersion)
    found.push(`${run?.spec.command[1]} runs, ${row.desiredVersion} is desired`);
  if (row.desiredState !== "running" && run) found.push(`${row.desiredState} is desired, and it runs`);
  if (row.desiredState === "running" && row.observedVersion !== row.desiredVersion) found.push(`the row says ${row.observedVersion}`);

  const happened = (name: ActName): boolean => (first === name && states.first === "done") || (second === name && states.second === "done");
  if (row.desiredState === "running") {
    const content = scene.content();
    const allowed = allowedContent(first, second, happened);
    if (content !== undefined && !content.startsWith("made in life") && !allowed.includes(content))
      found.push(`the workspace has "${content}", not ${allowed.join(" or ")}`);
  }
  for (const { row: backup, schema } of await scene.readBackups()) {
    if (schema && (backup.kind === "manual" ? schema !== backup.engineVersion : isNewer(schema, backup.engineVersion)))
      found.push(`the ${backup.kind} backup says ${backup.engineVersion} and holds ${schema}`);
  }
  const changes = await db.select().from(workspaceUpdates).where(eq(workspaceUpdates.workspaceId, scene.id));
  const restored = await db.select().from(restores).where(eq(restores.workspaceId, scene.id));
  for (const { state, reason } of [...changes, ...restored])
    if (["failed", "rolled-back"].includes(state) && !reason) found.push("something failed without a reason");

  const lines = await countLines(host, scene);
  const sent = (await db.select({ subject: mails.subject }).from(mails).where(eq(mails.recipient, scene.email))).map(
    ({ subject }) => subject,
  );
  for (const [name, state] of [
    [first, states.first],
    [second, states.second],
  ] as const) {
    // A launch that has started nothing yet begins with the version that was chosen: nothing was updated.
    if (first === "launch" && name === "update") continue;
    // The restart that a larger plan began with serves the owner's request as well.
    if (first === "plan change" && name === "restart") continue;
    // What is deleted need not be stopped.
    if (name === "suspend" && row.desiredState === "deleted") continue;
    const { lines: { asked, done } = {}, mails: subjects = {} } = acts[name];
    const other = acts[name === first ? second : first];
    const since = (event: string) => (lines.get(event) ?? 0) - (before.get(event) ?? 0);
    if (asked && state === "refused" && asked !== other.lines?.asked && since(asked) > 0)
      found.push(`${name} was refused, and the journal has ${asked}`);
    if (asked && state !== "refused" && name !== "launch" && since(asked) === 0)
      found.push(`${name} was accepted, and the journal lacks ${asked}`);
    if (done && state === "done" && (lines.get(done) ?? 0) === 0) found.push(`${name} happened, and the journal lacks ${done}`);
    const count = (pattern: RegExp) => sent.filter((subject) => pattern.test(subject)).length;
    const asks = first === second ? 2 : 1;
    if (
      subjects.asked &&
      (state === "refused" ? count(subjects.asked) > asks - 1 : count(subjects.asked) < 1 || count(subjects.asked) > asks)
    )
      found.push(`${name} is ${state}, with ${count(subjects.asked)} mails`);
    if (subjects.done && state === "done" && count(subjects.done) === 0) found.push(`${name} happened without a mail`);
    if (subjects.done && state === "refused" && subjects.done !== other.mails?.done && name === "export" && count(subjects.done) > 0)
      found.push(`${name} was refused, and mailed`);
  }
  return found;
}

/** What the workspace may contain afterwards: what the last act that moves data put there. */
function allowedContent(first: ActName, second: ActName, happened: (name: ActName) => boolean): string[] {
  const usual = first === "rollback" || second === "rollback" ? "after the update" : "before";
  // A rollback leads to before the newest change of version.
  const rolledBackTo = first === "update" || first === "fleet wave" ? usual : "before";
  const moved = [...(happened("restore") ? ["in the backup"] : []), ...(happened("rollback") ? [rolledBackTo] : [])];
  return moved.length > 0 ? moved : [usual];
}
