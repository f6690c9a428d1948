/** Sleeping workspaces of a test fleet, and how their rows show it. */
import { expect } from "vitest";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import type { Driver } from "#apps/provisioner/drivers/driver.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { systemClock } from "#platform/clock.ts";
import type { TestFleet } from "./test-fleet.ts";

/** No worker has it: a condition on a row is useless while a pass may still change it. */
const isLeft = ({ leaseOwner }: WorkspaceRow): boolean => leaseOwner === null;

/** Online, as last requested. */
export const settled = (row: WorkspaceRow): boolean =>
  isLeft(row) && row.observedState === "online" && row.observedGeneration === row.generation;
/** Frozen or stopped. */
export const asleep = (row: WorkspaceRow): boolean => isLeft(row) && row.asleepSince !== null;
export const frozen = (row: WorkspaceRow): boolean => asleep(row) && row.coldSince === null;
export const cold = (row: WorkspaceRow): boolean => asleep(row) && row.coldSince !== null;
export const awake = (row: WorkspaceRow): boolean => isLeft(row) && row.asleepSince === null && row.coldSince === null;
/** A pass has looked at it, and the next one is not due yet. */
export const looked = (row: WorkspaceRow): boolean => isLeft(row) && row.reconcileAt! > new Date();

/** Resolves with the id of a new workspace that is online. */
export async function launched(fleet: TestFleet, name = "acme"): Promise<string> {
  const id = await fleet.want(name);
  await fleet.until(id, settled);
  return id;
}

/** Resolves when a workspace that is online was left alone and is frozen. */
export async function fallAsleep(fleet: TestFleet, id: string): Promise<void> {
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
  expect(fleet.world.get(id).run!.frozen).toBe(true);
}

/** Resolves with the id of a new workspace that is frozen. */
export async function sleeping(fleet: TestFleet, name = "acme"): Promise<string> {
  const id = await launched(fleet, name);
  await fallAsleep(fleet, id);
  return id;
}

/** The fleet's host as seen by a worker that can hear when workspaces are ready; `changes` are made to its abilities. */
export const driverOf = (fleet: TestFleet, changes = {}): Driver =>
  createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true, ...changes });
