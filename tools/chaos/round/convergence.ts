/** What is still missing until everything is as requested. */
import { join } from "node:path";
import { isReadOnly } from "#apps/provisioner/drivers/process/sandbox/read-only.ts";
import type { Wish } from "./actions.ts";
import { sleepAfterMinutes, type Lane } from "../lane.ts";
import { isWell } from "../harm/harm.ts";
import { processesOf } from "../harm/kill-victim.ts";
import { findFirewallTrouble } from "../harm/own-host.ts";
import type { Tenant } from "../tenant.ts";

interface Standing {
  id: string;
  number: number;
  name: string;
  desired_state: string;
  observed_state: string;
  follows: boolean;
  reachable: boolean;
  lease_owner: string | null;
  reason: string | null;
  progress_step: string | null;
  backups: number;
  restores: number;
  updates: number;
  mails: number;
  /** Asleep without a process. */
  cold: boolean;
  asleep: boolean;
  rested: boolean;
}

const standings = `
  select w.id, w.number::int, a.name, w.desired_state, w.observed_state, w.lease_owner, w.reason, w.progress_step, w.asleep_since is not null as asleep,
    w.asleep_since is not null and w.cold_since is not null as cold,
    w.asleep_since is null and greatest(w.used_at, w.started_at) < now() - make_interval(mins => ${2 * sleepAfterMinutes}) as rested,
    w.observed_generation = w.generation and (w.desired_state = 'deleted' or w.observed_version = w.desired_version) as follows,
    w.gateway_open and w.address is not null or w.asleep_since is not null and w.cold_since is not null as reachable,
    (select count(*)::int from backups b where b.workspace_id = w.id and b.state in ('waiting', 'running')) as backups,
    (select count(*)::int from restores r where r.workspace_id = w.id and r.finished_at is null) as restores,
    (select count(*)::int from workspace_updates u where u.workspace_id = w.id and u.finished_at is null) as updates,
    (select count(*)::int from mails m join users p on p.email = m.recipient where p.account_id = a.id and m.sent_at is null and m.failed_at is null) as mails
  from workspaces w join accounts a on a.id = w.account_id`;

/**
 * One line for each difference, none when everything is right; rejects while the program or its database is down. The host's processes,
 * disks and firewall are checked only once the rows are right: that costs more, and this is called ten times a second.
 */
export async function findMissing(lane: Lane, wish: Wish): Promise<string[]> {
  const ready = await lane.slipway.call("GET", "/readyz");
  if (!isWell(ready)) return [`the program is not ready: ${ready.status} ${ready.text}`];
  const found = new Map((await lane.rows.ask<Standing>(standings)).map((row) => [row.name, row]));
  const missing = lane.tenants.flatMap((tenant) => missingOf(tenant, found.get(tenant.customer.accountName), lane.sleeps));
  if (wish.missing) {
    const rest = await lane.rows.ask<{ what: string }>(wish.missing.question, wish.missing.values);
    missing.push(...rest.map(({ what }) => `${wish.tenant.customer.accountName}: ${what}`));
  }
  return missing.length > 0 ? missing : findMissingOnHost(lane, found);
}

async function findMissingOnHost(lane: Lane, found: ReadonlyMap<string, Standing>): Promise<string[]> {
  const missing: string[] = [];
  if (lane.sleeps)
    for (const row of found.values()) {
      const seen = await lane.driver.observe(row.id);
      const isFrozen = seen.state === "running" && seen.frozen === true;
      if (row.cold && seen.state === "running") missing.push(`${row.name}: its row calls it stopped, and it runs`);
      else if (isFrozen !== (row.asleep && !row.cold))
        missing.push(`${row.name}: its row calls it ${row.asleep ? "asleep" : "awake"}, and it is not`);
    }
  // No row mentions a crash that has not been noticed yet.
  for (const { customer, exists } of lane.tenants) {
    const row = found.get(customer.accountName);
    if (row && exists && !row.cold && (await processesOf(lane.slipway.dataDir, row)).length === 0)
      missing.push(`${customer.accountName}: it does not run`);
    if (row && exists && (await isReadOnly(join(lane.slipway.dataDir, "workspaces", row.id, "data"))))
      missing.push(`${customer.accountName}: its disk takes no writes`);
  }
  return [...missing, ...findFirewallTrouble()];
}

function missingOf({ customer, exists }: Tenant, row: Standing | undefined, sleeps: boolean): string[] {
  const { accountName } = customer;
  if (!row) return exists ? [`${accountName}: there is no workspace`] : [];
  const expectations: [boolean, string][] = [
    [
      row.desired_state === (exists ? "running" : "deleted"),
      `it should be ${exists ? "running" : "deleted"} and ${row.desired_state} is wanted`,
    ],
    [
      row.observed_state === (exists ? "online" : "deleted"),
      `it is ${row.observed_state} (${row.reason ?? row.progress_step ?? "without a reason"})`,
    ],
    [row.follows, "it is not what was asked for last"],
    [row.reachable === exists, exists ? "nobody is let in" : "the gateway is open"],
    [row.lease_owner === null, "somebody holds it"],
    [row.reason === null && row.progress_step === null, `it still says ${row.reason ?? row.progress_step}`],
    [!sleeps || !exists || !row.rested, "nobody uses it, and it is awake"],
    [row.backups === 0, `${row.backups} backups are under way`],
    [row.restores === 0, "a restore is under way"],
    [row.updates === 0, "an update is under way"],
    [row.mails === 0, `${row.mails} mails are not sent`],
  ];
  return expectations.filter(([isSo]) => !isSo).map(([, what]) => `${accountName}: ${what}`);
}
