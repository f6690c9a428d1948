/** Tells an n8n its owner's plan, and reads its usage and what runs, through the hook (workspace-side/quota/plan-routes.mts). */
import { z } from "zod";
import { createAsk, done, type Caller } from "../call-workspace.ts";
import type { Engine } from "../engine.ts";
import { saidUsage } from "../said-usage.ts";

const saidRunning = z.object({ running: z.int().min(0) });

/** The engine's calls about plan and usage. */
export function createN8nPlan(caller: Caller): Required<Pick<Engine, "setPlan" | "readUsage" | "requestsDone" | "countRunning">> {
  const askStatus = createAsk(caller, "status");
  const askPlan = createAsk(caller, "plan");
  const askUsage = createAsk(caller, "usage");
  return {
    setPlan: async (address, workspaceId, plan) => {
      await askPlan(done, address, workspaceId, "/_slipway/plan", plan);
    },
    countRunning: async (address, workspaceId, since) =>
      (await askStatus(saidRunning, address, workspaceId, `/_slipway/running?since=${since.getTime()}`)).running,
    readUsage: (address, workspaceId) => askUsage(saidUsage, address, workspaceId, "/_slipway/usage"),
    requestsDone: async (address, workspaceId, ids) => {
      await askUsage(done, address, workspaceId, "/_slipway/requests/done", { ids });
    },
  };
}
