/** What a workspace reports about sleep, in one shape for every engine. The tenant can influence it, so it is validated before use. */
import { z } from "zod";
import type { EngineRest } from "./engine.ts";

/** Parses an engine's report; refuses impossible times. */
export const saidRest = z.object({
  sleepable: z.boolean(),
  due: z.union([z.null(), z.iso.datetime().transform((text) => new Date(text))]),
}) satisfies z.ZodType<EngineRest>;
