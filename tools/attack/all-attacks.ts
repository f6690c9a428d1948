/** Every attack in its order: the quiet ones, those that take all there is, and those after which somebody has to start anew. */
import type { Attack } from "./attack.ts";
import { exhaust } from "./attacks/exhaust.ts";
import { forge, forgeLate } from "./attacks/forge.ts";
import { hoard } from "./attacks/hoard.ts";
import { mislead } from "./attacks/mislead.ts";
import { reachOthers } from "./attacks/reach-others.ts";
import { readOthers } from "./attacks/read-others.ts";
import { writeOutside } from "./attacks/write-outside.ts";

export const allAttacks: readonly Attack[] = [
  ...readOthers,
  ...reachOthers,
  ...writeOutside,
  ...forge,
  ...exhaust,
  ...hoard,
  ...forgeLate,
  ...mislead,
];
