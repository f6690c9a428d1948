/**
 * Everything in the server that begins work by time, with its queries, so that a test can check that none of them scans a table.
 * apps/provisioner/fleet-queries.slow.test.ts requires an entry for each file that has a timer.
 */
import { isAsleep, isSleeperDue, makeLongestFrozenDue, recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { listEnded } from "#apps/provisioner/notice-exits.ts";
import { askForDueUpdates } from "#apps/provisioner/updates/automatic-updates.ts";
import { readConditions } from "#apps/program/alarms/read-conditions.ts";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { listSessions, markSeen } from "#domain/accounts/sessions/session-store.ts";
import { listEndedSuspensions } from "#domain/accounts/suspension-store.ts";
import { claimErasures, listNotErased } from "#domain/accounts/erasure-store.ts";
import { shipAudit } from "#domain/audit/ship-audit.ts";
import { claimBackups, listAbandonedBackups, listBackupsInHand, renewBackups } from "#domain/backups/backup-queue.ts";
import { listBackups } from "#domain/backups/backup-store.ts";
import { claimExpiredBackups, expireOfClosed, putOffStaying } from "#domain/backups/expired-backup-store.ts";
import { dropFutureChecks, listNightlyCandidates, readNightlyTurn } from "#domain/backups/nightly-store.ts";
import { doWhatIsDue } from "#domain/billing/provider-truth/billing-loop.ts";
import { once } from "#domain/billing/idempotency.ts";
import { healGrants } from "#domain/billing/provider-truth/sweep-billing.ts";
import type { Billing } from "#domain/billing/billing.ts";
import { useChallenge } from "#domain/challenges/used-challenge-store.ts";
import { claimExpiredExports, claimExports, listExports, renewExport } from "#domain/exports/export-store.ts";
import { listWaiting } from "#domain/invoices/invoice-store.ts";
import { listRenewals } from "#domain/journeys/manage-billing/announce-renewals/renewal-store.ts";
import { reconcile } from "#domain/billing/reconcile/reconcile.ts";
import { beat } from "#domain/memory-gap/memory-gap-store.ts";
import { listEndingCards } from "#domain/cards/card-store.ts";
import { readMarks } from "#domain/journeys/monitor-workspace/read-marks.ts";
import { prepareCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { createMailStore } from "#domain/mail/mail-store.ts";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { saveGatewayCounts } from "#domain/usage/check-store.ts";
import { recordUsage } from "#domain/usage/record-usage.ts";
import { readBusiest, readDays, readPeriod } from "#domain/usage/usage-store.ts";
import {
  addBlank,
  countLaunches,
  forgetBlank,
  isSomebodyWaiting,
  listBlanks,
  offerBlank,
  renewBlank,
  takeBlank,
  withdrawBlank,
} from "#domain/workspaces/blanks/blank-store.ts";
import { beatHost, listElsewhere, listStillToMove, listToMove, makeMoveDue, placeNext } from "#domain/workspaces/hosts/host-store.ts";
import { claimGone, listGone } from "#domain/workspaces/hosts/left-store.ts";
import { claimDue, claimDueAmong, giveBackWorkspace, release, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { lookSoon, makeDue, noteVisits, retryFailing } from "#domain/workspaces/observed/due-store.ts";
import { askLook, claimLooks, dropOldLooks, leaveFollowed, readLook } from "#domain/workspaces/observed/look-store.ts";
import { publishOutput } from "#domain/workspaces/observed/output-channel.ts";
import { readHours, readPeaks, saveSamples } from "#domain/workspaces/observed/load-store.ts";
import { readHeld } from "#domain/workspaces/observed/observation-store.ts";
import { noteDown } from "#domain/signals/down-store.ts";
import { changeObservations } from "#domain/signals/observation-store.ts";
import { notePresence } from "#domain/workspaces/present-releases.ts";
import { noCalls } from "#domain/workspaces/webhooks/webhook-calls.ts";
import { prepareSleepingCallLookup, recordSleepingWebhooks } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { addWebhookCalls, readWebhookCalls } from "#domain/workspaces/webhooks/webhook-store.ts";
import { prepareRouteLookup } from "#domain/workspaces/workspace-store.ts";
import { claimWebhook } from "#payments/sandbox/webhooks/webhook-store.ts";
import { runDue } from "#payments/sandbox/run-due.ts";
import { advanceFleetUpdate } from "#domain/updates/fleet/advance-fleet-update.ts";
import { countSince, findStopReason, noteTroubles, readBefore, updatedJournalId } from "#domain/updates/fleet/fleet-health.ts";
import { listPlanned, lockFleetUpdate } from "#domain/updates/fleet/fleet-update-store.ts";
import { after, dayMs, hourMs, systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";

export interface Scene {
  db: Database;
  billing: Billing;
  now: Date;
  /** A workspace, its account and its owner: all three have this id. */
  id: string;
  worker: string;
}

type Work =
  | ((scene: Scene) => Promise<unknown>)
  /** Why it runs no queries here. */
  | string;

const log = createLog("silent");

/** By the file with the timer. */
export const periodicWork: Readonly<Record<string, Work>> = {
  "apps/provisioner/relieve-memory.ts": ({ db, id, now }) => makeLongestFrozenDue(db, [id], { most: 2, soonMs: 0 }, now),
  "apps/gateway/execution-counts.ts": ({ db, id, worker }) =>
    saveGatewayCounts(db, worker, [{ workspaceId: id, date: "2027-01-01", executions: 1 }]),
  "apps/gateway/routes/call-queue.ts": "lets in calls that wait",
  "apps/gateway/routes/uses.ts": async ({ db, id, now }) => void (await recordUse(db, [id], now)),
  "apps/provisioner/wake-first.ts": async ({ db, id, now }) => {
    await recordUse(db, [id], now);
    await isAsleep(db, id);
  },
  "apps/gateway/webhook-counts.ts": ({ db, id, now }) => addWebhookCalls(db, new Map([[id, noCalls()]]), now),
  "apps/gateway/visits.ts": ({ db, id, now }) => noteVisits(db, [id], now),
  "apps/gateway/routes/waiting-room.ts": "looks up the routes of those who wait, as the gateway does for a visit",
  "apps/gateway/upstream/upstreams.ts": "closes idle connections",
  "apps/program/database-contact.ts": "asks whether the database answers, without reading a table",
  "apps/program/roles/start-worker.ts": async ({ db, billing, now, id }) => {
    await deleteOldRows(db, now);
    await healGrants({ ...billing, db });
    await listWaiting(db, "sandbox", after(now, -90 * dayMs), 100);
    await listEndingCards(db, now, after(now, 30 * dayMs), 100);
    await listRenewals(db, "sandbox", { now, until: after(now, 30 * dayMs), most: 100 });
    await listEndedSuspensions(db, now, 100);
    await claimErasures(db, now, 20);
    await listNotErased(db, [id]);
    await mendClockSetBack(db, now);
  },
  "apps/program/alarms/start-alarms.ts": async ({ db, now }) => void (await readConditions(db, now)),
  "apps/program/watch/observe.ts": async ({ db, now }) => {
    await noteDown(db, now);
    await changeObservations(db, (known) => known);
  },
  "apps/provisioner/backups/backup-loop.ts": async ({ db, now, id, worker }) => {
    await claimBackups(db, worker, now, 32, [id]);
    await claimExports(db, worker, now, 4, [id]);
    await listAbandonedBackups(db);
    await listBackupsInHand(db, [id]);
    await expireOfClosed(db, now);
    await claimExpiredBackups(db, now);
    await putOffStaying(db, now);
    await claimExpiredExports(db, now);
    await dropFutureChecks(db, now);
    await listNightlyCandidates(db, now, 2_000);
  },
  "apps/provisioner/backups/create-backups.ts": ({ db, id, worker }) => renewBackups(db, worker, [id]),
  "apps/provisioner/backups/hold-workspace.ts": async ({ db, id, now, worker }) => {
    await renewLeases(db, worker, [id]);
    await isSleeperDue(db, id, now);
  },
  "apps/provisioner/exports/export-work.ts": ({ db, id, worker }) => renewExport(db, worker, id),
  "apps/provisioner/host/keep-host.ts": async ({ db, id }) => {
    await beatHost(db, { name: "main", address: null, freeMb: 1 });
    await listElsewhere(db, [id], "main");
  },
  "apps/provisioner/host/move-out.ts": async ({ db, id, now }) => {
    await listToMove(db, "main", { most: 2, except: [id] });
    await listStillToMove(db, "main", [id]);
    await makeMoveDue(db, id, "main", now);
  },
  "apps/provisioner/host/sweep-left.ts": async ({ db, id, worker }) => {
    await listGone(db, [id]);
    await claimGone(db, id, worker);
    await renewLeases(db, worker, [id]);
    await giveBackWorkspace(db, id, worker);
  },
  "apps/provisioner/image-installs.ts": ({ db, now }) => notePresence(db, { engine: "n8n", version: "1", reason: null }, now),
  "apps/provisioner/looks/answer-looks.ts": async ({ db, id, now, worker }) => {
    await dropOldLooks(db, after(now, -30_000));
    await claimLooks(db, { most: 1_000, seconds: 15, inHand: [`${id} logs`], followers: { worker, since: now } });
    await leaveFollowed(db, [id]);
  },
  "apps/provisioner/looks/follow-output.ts": ({ db, id }) =>
    publishOutput(db, [{ workspaceId: id, following: id, piece: 1, text: "a line\n", isCut: false }]),
  "apps/provisioner/looks/sample-memory.ts": async ({ db, id, now }) => {
    await saveSamples(db, new Map([[id, { memoryMb: 1, cpuPercent: 1, diskMb: 1 }]]), now);
  },
  "apps/provisioner/notice-exits.ts": ({ db }) => listEnded(db, { listRunning: async () => new Set<string>() }),
  "apps/provisioner/pool/pool-loop.ts": async ({ db, id, now, worker }) => {
    await listBlanks(db);
    await countLaunches(db, after(now, -hourMs));
    await isSomebodyWaiting(db, now);
    await addBlank(db, { engine: "n8n", version: "1", memoryMb: 1024, secrets: "-" }, { most: 1_000, worker, now });
    await offerBlank(db, worker, id, "a hash");
    await takeBlank(db, id, { engine: "n8n", version: "1", memoryMb: 1024 });
  },
  "apps/provisioner/pool/make-blank.ts": async ({ db, id, worker }) => {
    await renewBlank(db, worker, id);
    await withdrawBlank(db, worker, id);
    await forgetBlank(db, worker, id);
  },
  "apps/provisioner/reconcile/reconcile-loop.ts": async ({ db, id, now, worker }) => {
    await claimDue(db, worker, now, { wake: 2, start: 4, stop: 3, look: 3, retry: 1 }, [id]);
    await claimDueAmong(db, worker, now, [id], 3, []);
    await renewLeases(db, worker, [id]);
    await makeDue(db, id, now);
    await readHeld(db, id, worker);
    await placeNext(db, "main", now);
    await release(db, { id, generation: 1, updatedAt: now, reconcileAt: now }, worker, now, now);
  },
  "apps/provisioner/updates/automatic-updates.ts": ({ db }) =>
    askForDueUpdates({ db, clock: systemClock, log, engine: "n8n", releases: [{ version: "1", channel: "stable" }] }),
  "apps/provisioner/updates/fleet-updates.ts": async ({ db, id, now }) => {
    await advanceFleetUpdate({ db, clock: systemClock, engine: "n8n" });
    const update = await lockFleetUpdate(db, "00000000-0000-7000-8000-000000000001");
    await listPlanned(db, { id: update!.id, states: ["updated"], wave: 9 });
    await noteTroubles(db, update!, now);
    await findStopReason(db, update!);
    await readBefore(db, { id, accountId: id }, now);
    await updatedJournalId(db, id);
    await countSince(db, { fleetUpdateId: update!.id, workspaceId: id }, now);
  },
  "apps/provisioner/watch-host.ts": ({ db, now }) => retryFailing(db, now),
  "domain/audit/ship-audit.ts": ({ db }) => shipAudit(db, log),
  "domain/billing/idempotency.ts": async ({ db, now, id }) => {
    const call = { accountId: id, key: newId(), call: "change", request: {} };
    await once({ db, clock: { now: () => now } }, call, (_key, stillOurs) => stillOurs(db));
  },
  "domain/billing/provider-truth/billing-loop.ts": ({ db, billing }) => doWhatIsDue({ ...billing, db }),
  "domain/billing/reconcile/reconcile-loop.ts": async ({ db, billing, now }) => {
    await beat(db, now, null);
    await reconcile({ ...billing, db }, { since: now, everyone: false });
  },
  "domain/journeys/look-into-workspace/output-watch.ts": async ({ db, id, now }) => {
    await askLook(db, id, "follow-logs", now);
    await readLook(db, id, "follow-logs");
  },
  "domain/mail/sending/mail-loop.ts": async ({ db, id, now }) => {
    const store = createMailStore(db);
    await store.claim(now, 5);
    await store.renew([id], now);
    await store.markSent(id, now, false);
    await store.markRetry(id, now, "");
  },
  "platform/http/stream-events.ts": "keeps connections of browsers open",
  "platform/loops/slots.ts": "gives slots to others",
  "platform/loops/start-sweep.ts": "runs the sweeps of its caller",
  "platform/loops/wake-loop.ts": "runs the work of its caller",
  "platform/postgres/listen.ts": "asks whether the connection lives",
  "payments/sandbox/start-sandbox.ts": async ({ db, now }) => {
    await runDue(db, now);
    await claimWebhook(db, now, false);
    await claimWebhook(db, now, true);
  },
};

/** Queries that people and visitors cause, often. */
export const hotWork: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "each call of the panel": async ({ db, now }) => {
    await prepareCurrentUser(db, systemClock, log)("a token");
    await markSeen(db, ["1"], now);
  },
  "a visit to a workspace the gateway does not remember": ({ db }) => prepareRouteLookup(db)("b1"),
  "a call of a webhook of a sleeping workspace": async ({ db, id, now }) => {
    await recordSleepingWebhooks(db, id, now, { paths: {}, templates: [], executions: null });
    await prepareSleepingCallLookup(db)("b1", { path: "orders", template: "orders 0" });
  },
  "a look at a workspace": async ({ db, id, now }) => {
    await planForWorkspace(db, id, now);
    const seen = { answered: true, gateway: new Map([["2027-01-01", 1]]), statistics: null };
    const said = {
      activeWorkflows: 1,
      counters: [{ epoch: "e", periodStart: null, date: "2027-01-01", executions: 1, failed: 0 }],
      busiest: { periodStart: now, workflows: [] },
    };
    await recordUsage(db, { id, accountId: id }, said, { periodStarts: [now], limit: 1, seen, tell: () => undefined, now });
  },
  "a page with usage, memory or sessions": async ({ db, id, now }) => {
    await readPeriod(db, id, now);
    await readDays(db, id, "2027-01-01");
    await readBusiest(db, id, now);
    await lookSoon(db, id, now);
    await readPeaks(db, id, { from: after(now, -dayMs), to: now }, 5);
    await readHours(db, id, { from: after(now, -30 * dayMs), to: now });
    await readWebhookCalls(db, id, { from: after(now, -dayMs), to: now }, { kept: 1, spanMinutes: 15 });
    await readMarks(db, { id, accountId: id }, { from: after(now, -30 * dayMs), to: now });
    await listSessions(db, id, { currentId: id, most: 20 }, now);
  },
  "a page with backups": async ({ db, id, now }) => {
    await listBackups(db, id, 20);
    await listExports(db, id, now, 20);
    await readNightlyTurn(db, id, now);
  },
  "a solved challenge": ({ db, id, now }) => useChallenge(db, { id, expiresAt: now }, now),
};
