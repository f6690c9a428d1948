/**
 * What only a process can see, kept where every process can read it: a host's free disk and memory, its overdue loops, and whether the
 * backup storage and the certificate are well. One row of `service_state`, locked while it changes.
 */
import { changeState, readState } from "#platform/postgres/service-state.ts";
import { mostAheadMs, sinceMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { daysLeft, sampleEveryMs, samplesKeptMs, type CapacitySample } from "./capacity.ts";

const key = "observations";

export type ResourceName = "disk" | "memory";

export interface Resource {
  freeMb: number;
  /** What must stay free. */
  floorMb: number;
  samples: CapacitySample[];
}

/** A check that a worker repeats. `failingSince` is null while it succeeds. */
export interface Check {
  /** ISO; null: it never succeeded. */
  okAt: string | null;
  failingSince: string | null;
  /** For the operator, without secrets. */
  reason: string | null;
}

export type CheckName = "storage" | "certificate";

interface HostObservation {
  at: string;
  resources: Partial<Record<ResourceName, Resource>>;
  /** Loops of its worker that are overdue, each since when. */
  overdue: Record<string, string>;
}

export interface Observations {
  hosts: Record<string, HostObservation>;
  checks: Partial<Record<CheckName, Check>>;
  /** When the certificate of the panel's address ends; null: unknown, or the address has none. */
  certificateUntil: string | null;
}

const nothing: Observations = { hosts: {}, checks: {}, certificateUntil: null };

export async function readObservations(db: Connection): Promise<Observations> {
  return { ...nothing, ...((await readState(db, key)) as Partial<Observations> | undefined) };
}

/** Changes them in one transaction: two processes never overwrite what the other noted. */
export async function changeObservations(db: Database, change: (known: Observations) => Observations): Promise<void> {
  await changeState(db, { key, first: nothing }, async (known) => ({ next: change({ ...nothing, ...known }), result: undefined }));
}

export interface HostReading {
  host: string;
  resources: Partial<Record<ResourceName, { freeMb: number; floorMb: number }>>;
  /** Names of its overdue loops. */
  overdue: readonly string[];
}

/** The observations with this reading of a host: a sample each hour, kept for a week. A host that was not seen for a week is forgotten. */
export function withHost(known: Observations, { host, resources, overdue }: HostReading, now: Date): Observations {
  const earlier = known.hosts[host];
  const next: HostObservation = {
    at: now.toISOString(),
    resources: Object.fromEntries(
      Object.entries(resources).map(([name, reading]) => [name, withSample(earlier?.resources[name as ResourceName], reading, now)]),
    ),
    overdue: Object.fromEntries(overdue.map((loop) => [loop, earlier?.overdue[loop] ?? now.toISOString()])),
  };
  const others = Object.entries(known.hosts).filter(([name, { at }]) => name !== host && sinceMs(new Date(at), now) < samplesKeptMs);
  return { ...known, hosts: { ...Object.fromEntries(others), [host]: next } };
}

function withSample(known: Resource | undefined, reading: { freeMb: number; floorMb: number }, now: Date): Resource {
  const at = now.getTime();
  // One from the future was taken before a clock was set back.
  const kept = (known?.samples ?? []).filter((each) => at - each.at < samplesKeptMs && each.at - at < mostAheadMs);
  const newest = kept.at(-1);
  const isDue = !newest || at - newest.at >= sampleEveryMs;
  return { ...reading, samples: isDue ? [...kept, { at, freeMb: reading.freeMb }] : kept };
}

/** The observations with the result of a check: null if it succeeded, otherwise the reason. */
export function withCheck(known: Observations, name: CheckName, reason: string | null, now: Date): Observations {
  const earlier = known.checks[name];
  const at = now.toISOString();
  const next: Check =
    reason === null
      ? { okAt: at, failingSince: null, reason: null }
      : { okAt: earlier?.okAt ?? null, failingSince: earlier?.failingSince ?? at, reason };
  return { ...known, checks: { ...known.checks, [name]: next } };
}

export interface Capacity {
  host: string;
  resource: ResourceName;
  freeMb: number;
  floorMb: number;
  daysLeft: number;
}

/** What is left on each host that was seen within the last hour. */
export function capacities({ hosts }: Observations, now: Date): Capacity[] {
  return Object.entries(hosts)
    .filter(([, { at }]) => sinceMs(new Date(at), now) < sampleEveryMs)
    .flatMap(([host, { resources }]) =>
      Object.entries(resources).map(([resource, { freeMb, floorMb, samples }]) => ({
        host,
        resource: resource as ResourceName,
        freeMb,
        floorMb,
        daysLeft: daysLeft(samples, freeMb, floorMb),
      })),
    );
}
