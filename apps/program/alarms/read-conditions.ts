/** What is wrong now, by the same figures as the alert rules; the same in every process that asks. */
import { listHangingRollBacks, listStoppedByGate } from "#domain/updates/fleet/fleet-update-store.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { countFleet } from "#domain/workspaces/observed/fleet-store.ts";
import type { Condition } from "#domain/signals/alarm-store.ts";
import { noteDown, type Down } from "#domain/signals/down-store.ts";
import { capacities, readObservations, type Observations } from "#domain/signals/observation-store.ts";
import { readSignals } from "#domain/signals/read-signals.ts";
import type { PromiseName, Signal } from "#domain/signals/signal.ts";
import { dayMs, hourMs, minuteMs, sinceMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { AlarmKindName } from "./alarm-kinds.ts";

/** As monitoring/alerts.yaml. */
const daysLeftAtLeast = 7;
const certificateDaysAtLeast = 14;
const storageFailsForMs = 15 * minuteMs;
const billingStuckForMs = hourMs;
const refusedMails = 20;
/** More than a few full mailboxes at the same time. */
const retriedMails = 5;
const mailsStuckForMs = hourMs;
/** A restart takes less. */
const silentForMs = 2 * minuteMs;
/** Its look at the host takes place every 30 s. */
const unseenForMs = 5 * minuteMs;

/** Those that a gate stopped, because an operator who stops one knows; and rollbacks that hang. */
async function describeFleetUpdates(db: Database): Promise<string | null> {
  const stopped = await listStoppedByGate(db);
  const hanging = await listHangingRollBacks(db);
  const lines = [
    ...stopped.map(({ toVersion, stopReason }) => `To ${toVersion}: ${stopReason}.`),
    ...hanging.map(({ toVersion, accountNames }) => `The rollback from ${toVersion} hangs: ${accountNames.join(", ")}.`),
  ];
  return lines.length > 0 ? lines.join(" ") : null;
}

/** One statement after the other, so that it takes one database connection. */
export async function readConditions(db: Database, now: Date): Promise<Condition[]> {
  const down = await noteDown(db, now);
  const signals = new Map((await readSignals(db, now)).map((signal) => [signal.promise, signal]));
  const of = (promise: PromiseName): Signal => signals.get(promise)!;
  const observed = await readObservations(db);
  const { firstRestoresWaiting } = await countFleet(db, now);
  const hosts = (await listHosts(db)).filter(({ lostAt }) => lostAt === null);
  const found: Partial<Record<AlarmKindName, string | null>> = {
    "backups-failing": describeBackups(of("backup"), observed, now),
    "mails-given-up": describeMails(of("mail")),
    "disk-low": describeDisks(observed, now),
    "workspace-down": down.down > 0 ? describeDown(down) : null,
    "many-workspaces-down": down.down > 1 && down.down >= down.expected / 100 ? describeDown(down) : null,
    "fleet-update-stopped": await describeFleetUpdates(db),
    "first-restore-waits": firstRestoresWaiting > 0 ? `${firstRestoresWaiting} of them wait.` : null,
    "certificate-ends": describeCertificate(observed, now),
    "billing-stuck": describeBilling(of("billing_event")),
    "worker-silent": describeSilent(hosts, observed, now),
  };
  return Object.entries(found).flatMap(([kind, detail]) => (detail ? [{ kind, detail }] : []));
}

const sentences = (...parts: (string | null | false | undefined)[]): string | null => parts.filter(Boolean).join(" ") || null;
const counted = (failures: Signal["failures"]): string =>
  Object.entries(failures)
    .map(([cause, times]) => `${cause}: ${times}`)
    .join(", ");
const hours = (seconds: number): number => Math.floor(seconds / 3600);

function describeBackups({ openSeconds, failures }: Signal, { checks }: Observations, now: Date): string | null {
  const { failingSince, reason } = checks.storage ?? {};
  const fails = failingSince && sinceMs(new Date(failingSince), now) >= storageFailsForMs;
  return sentences(
    fails && `Nothing can be stored: ${reason}.`,
    openSeconds > 0 && `The oldest newest backup of a workspace is ${hours(openSeconds)} hours old (${counted(failures)}).`,
  );
}

function describeMails({ failures, successSeconds }: Signal): string | null {
  const [givenUp = 0, refused = 0, retried = 0] = [failures["given-up"], failures["refused"], failures["retried"]];
  const isStuck = retried > retriedMails && (successSeconds === null || successSeconds * 1000 > mailsStuckForMs);
  return sentences(
    (givenUp > 0 || refused > refusedMails) &&
      `Within the last day, ${givenUp} were given up after all tries, and ${refused} recipients were refused.`,
    isStuck && `${retried} have failed and wait, and no mail got through within the last hour.`,
  );
}

function describeDisks(observed: Observations, now: Date): string | null {
  const low = capacities(observed, now).filter(({ resource, daysLeft }) => resource === "disk" && daysLeft < daysLeftAtLeast);
  return sentences(
    ...low.map(({ host, freeMb, daysLeft }) => `Host ${host}: ${Math.floor(freeMb)} MB are free, ${Math.floor(daysLeft)} days are left.`),
  );
}

function describeDown({ down, expected, accounts }: Down): string {
  const more = down > accounts.length ? ` and ${down - accounts.length} more` : "";
  return `${down} of ${expected}: ${accounts.join(", ")}${more}.`;
}

function describeCertificate({ certificateUntil }: Observations, now: Date): string | null {
  if (certificateUntil === null) return null;
  const days = (new Date(certificateUntil).getTime() - now.getTime()) / dayMs;
  return days < certificateDaysAtLeast ? `It is valid until ${certificateUntil.slice(0, 16).replace("T", " ")} UTC.` : null;
}

function describeBilling({ openSeconds, failures }: Signal): string | null {
  const isStuck = (failures["retried"] ?? 0) > 0 && openSeconds * 1000 >= billingStuckForMs;
  return isStuck || failures["given-up"] ? `The oldest is ${hours(openSeconds)} hours old (${counted(failures)}).` : null;
}

function describeSilent(
  hosts: readonly { name: string; silentSeconds: number }[],
  { hosts: seen }: Observations,
  now: Date,
): string | null {
  return sentences(
    ...hosts.map(({ name, silentSeconds }) => {
      if (silentSeconds * 1000 >= silentForMs) return `Host ${name} has sent no heartbeat for ${Math.floor(silentSeconds)} s.`;
      const observation = seen[name];
      if (!observation) return null;
      if (sinceMs(new Date(observation.at), now) >= unseenForMs) return `The worker of host ${name} does not look at its host any more.`;
      const overdue = Object.entries(observation.overdue).filter(([, since]) => sinceMs(new Date(since), now) >= silentForMs);
      return overdue.length > 0 && `Overdue on host ${name}: ${overdue.map(([loop]) => loop).join(", ")}.`;
    }),
  );
}
