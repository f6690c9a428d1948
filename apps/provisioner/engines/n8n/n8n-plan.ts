/** An n8n hears of its owner's plan and says what was used, through the hook (workspace-side/plan-routes.mts). */
import { z } from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Engine, EngineOwner } from "../engine.ts";
import type { SigningKey } from "../sign-token.ts";
import { createAsk } from "./ask-n8n.ts";

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const counter = z.object({
  epoch: z.string().min(1).max(64),
  period: z.union([z.literal("").transform(() => null), z.iso.datetime().transform((text) => new Date(text))]),
  date: z.iso.date(),
  executions: count,
  failed: count,
});
const usage = z.object({
  plan: z.string().max(100).nullable(),
  executions: count,
  activeWorkflows: z.number().int().min(0).max(1_000_000),
  statistics: count.nullable(),
  counters: z.array(counter).max(1500),
});
const done = z.object({ message: z.string() });

/** n8n keeps a first and a last name, of 32 characters each. */
export function n8nName(fullName: string): { firstName: string; lastName: string } {
  const [firstName = "", ...rest] = fullName.trim().split(/\s+/);
  return { firstName, lastName: rest.join(" ") };
}

/** The engine's calls about plan, usage and owner. */
export function createN8nPlan(signingKey: SigningKey, clock: Clock): Required<Pick<Engine, "setPlan" | "readUsage" | "updateOwner">> {
  const askPlan = createAsk(signingKey, clock, "plan");
  const askUsage = createAsk(signingKey, clock, "usage");
  const askOwner = createAsk(signingKey, clock, "owner");
  return {
    setPlan: async (address, workspaceId, plan) => {
      await askPlan(done, address, workspaceId, "/_slipway/plan", plan);
    },
    readUsage: async (address, workspaceId) => {
      const { counters, ...rest } = await askUsage(usage, address, workspaceId, "/_slipway/usage");
      return { ...rest, counters: counters.map(({ period, ...counted }) => ({ ...counted, periodStart: period })) };
    },
    updateOwner: async (address, workspaceId, { email, fullName }: EngineOwner) => {
      await askOwner(done, address, workspaceId, "/_slipway/owner/details", { email, ...n8nName(fullName) });
    },
  };
}
