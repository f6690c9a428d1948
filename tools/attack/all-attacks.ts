/** Every attack in order: the quiet ones, those that exhaust resources, and those after which a program has to restart. */
import type { Attack } from "./attack.ts";
import { disturbSleep } from "./attacks/disturb-sleep.ts";
import { exhaust } from "./attacks/exhaust.ts";
import { forge, forgeLate } from "./attacks/forge.ts";
import { hoard } from "./attacks/hoard.ts";
import { lockOut } from "./attacks/lock-out.ts";
import { mislead } from "./attacks/mislead.ts";
import { reachOthers } from "./attacks/reach-others.ts";
import { readOthers } from "./attacks/read-others.ts";
import { storm, stormAsleep } from "./attacks/storm.ts";
import { takeBlank } from "./attacks/take-blank.ts";
import { writeOutside } from "./attacks/write-outside.ts";

export const allAttacks: readonly Attack[] = [
  ...readOthers,
  ...reachOthers,
  ...writeOutside,
  ...forge,
  ...lockOut,
  ...takeBlank,
  ...exhaust,
  ...hoard,
  ...storm,
  ...forgeLate,
  ...disturbSleep,
  ...stormAsleep,
  ...mislead,
];
