/** Every attempt in its order: the quiet ones, those that take all there is, and those after which somebody has to start anew. */
import type { Attempt } from "./attempt.ts";
import { exhaust } from "./attempts/exhaust.ts";
import { forge, forgeLate } from "./attempts/forge.ts";
import { mislead } from "./attempts/mislead.ts";
import { reachOthers } from "./attempts/reach-others.ts";
import { readOthers } from "./attempts/read-others.ts";
import { writeOutside } from "./attempts/write-outside.ts";

export const allAttempts: readonly Attempt[] = [...readOthers, ...reachOthers, ...writeOutside, ...forge, ...exhaust, ...forgeLate, ...mislead];
