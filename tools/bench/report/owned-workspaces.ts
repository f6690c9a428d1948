/** How many workspaces a machine can hold: calculated from the measured usage of one. */
import type { Figures } from "../bench-row.ts";

const machineMb = 24 * 1024;
/** For the system, PostgreSQL, and the control plane with its 200 MB. */
export const reservedMb = 1024;
/** The share of its workspaces that a service finds in use. */
export const awakeShare = 0.1;

interface Owned {
  what: string;
  awake: number;
  asleep: number;
  /** The sum behind it, in words. */
  sum: string;
}

/** What one uses in each state, in MB; `pagedOutMb` counts its compressed pages. */
interface Rested {
  awakeMb: number;
  pagedOutMb: number;
  stoppedMb: number;
  stoppedDiskMb: number;
}

/**
 * The memory that this many workspaces use while the rest are stopped, as a share of what the machine has for them. Disk limits the stopped
 * ones; the remaining memory limits how many may be in full use.
 */
export function ownedWithStopped(owned: number, awake: number, { awakeMb, pagedOutMb, stoppedMb, stoppedDiskMb }: Rested) {
  const roomMb = machineMb - reservedMb;
  const stopped = owned - awake;
  const takesMb = Math.round(awake * pagedOutMb + stopped * stoppedMb);
  // One in use needs its whole memory instead of what remains while it is paged out or stopped.
  const inUse = Math.max(0, Math.floor((roomMb - takesMb) / (awakeMb - stoppedMb)));
  const sum = `${awake} × ${pagedOutMb} MB + ${stopped} × ${stoppedMb} MB = ${takesMb} of ${roomMb} MB, and ${stopped} × ${stoppedDiskMb} MB = ${((stopped * stoppedDiskMb) / 1024).toFixed(1)} GB of disk; what is left lets ${inUse} of the stopped wake (${awakeMb} MB each)`;
  return { share: takesMb / roomMb, sum };
}

/** The number of whole workspaces that fit; ways whose figures are missing are left out. */
export function ownedWorkspaces({ bareMb, awakeMb, asleepMb, asleepCompressedMb }: Figures): Owned[] {
  const roomMb = machineMb - reservedMb;
  const all = (what: string, eachMb: number | undefined): Owned[] =>
    eachMb === undefined ? [] : [{ what, awake: Math.floor(roomMb / eachMb), asleep: 0, sum: `${roomMb} MB / ${eachMb} MB` }];
  const mixed = (what: string, sleepingMb: number): Owned[] => {
    if (awakeMb === undefined) return [];
    const count = Math.floor(roomMb / (awakeShare * awakeMb + (1 - awakeShare) * sleepingMb));
    const awake = Math.round(count * awakeShare);
    const sum = `${roomMb} MB / (${awakeShare} × ${awakeMb} MB + ${1 - awakeShare} × ${sleepingMb} MB)`;
    return [{ what, awake, asleep: count - awake, sum }];
  };
  return [
    ...all("Bare n8n", bareMb),
    ...all("Slipway, all awake", awakeMb),
    ...(asleepMb === undefined || asleepCompressedMb === undefined
      ? []
      : mixed("Slipway, 1 in 10 awake, the others in compressed memory", asleepMb + asleepCompressedMb)),
    ...(asleepMb === undefined ? [] : mixed("Slipway, 1 in 10 awake, the others on encrypted disk", asleepMb)),
  ];
}
