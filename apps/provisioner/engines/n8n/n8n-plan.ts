/** An n8n hears of its owner's plan and says what was used, through the hook (workspace-side/plan-routes.mts). */
import { z } from "zod";
import { createAsk, done, type Caller } from "../call-workspace.ts";
import type { Engine } from "../engine.ts";

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Of letters and digits, so that the database takes it: a workspace must not be able to spoil the reading of what it used. */
const life = z.string().regex(/^[\w-]{1,64}$/);
const counter = z.object({
  epoch: life,
  period: z.union([z.literal("").transform(() => null), z.iso.datetime().transform((text) => new Date(text))]),
  date: z.iso.date(),
  executions: count,
  failed: count,
});
const usage = z.object({
  plan: z.string().max(100).nullable(),
  executions: count,
  activeWorkflows: z.number().int().min(0).max(1_000_000),
  // A workspace that was started by an older release says it in another form: then nothing is known.
  statistics: z.object({ life, succeeded: count, unfinished: count }).nullable().catch(null),
  counters: z.array(counter).max(1500),
});

/** The engine's calls about plan and usage. */
export function createN8nPlan(caller: Caller): Required<Pick<Engine, "setPlan" | "readUsage">> {
  const askPlan = createAsk(caller, "plan");
  const askUsage = createAsk(caller, "usage");
  return {
    setPlan: async (address, workspaceId, plan) => {
      await askPlan(done, address, workspaceId, "/_slipway/plan", plan);
    },
    readUsage: async (address, workspaceId) => {
      const { counters, ...rest } = await askUsage(usage, address, workspaceId, "/_slipway/usage");
      return { ...rest, counters: counters.map(({ period, ...counted }) => ({ ...counted, periodStart: period })) };
    },
  };
}
