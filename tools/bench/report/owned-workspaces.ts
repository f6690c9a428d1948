/** How many workspaces a machine owns: arithmetic on what one of them was measured to take. */
import type { Figures } from "../bench-row.ts";

export const machineMb = 24 * 1024;
/** For the system, PostgreSQL, and the control plane with its 200 MB. */
export const reservedMb = 1024;
/** The share of its workspaces that a service finds in use. */
export const awakeShare = 0.1;

export interface Owned {
  what: string;
  awake: number;
  asleep: number;
  /** The sum behind it, in words. */
  sum: string;
}

/** Whole workspaces that fit; those ways whose figures are missing are left out. */
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
