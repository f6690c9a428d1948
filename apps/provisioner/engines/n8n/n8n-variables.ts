/** Replaces the owner's variables in a running n8n, through the hook (workspace-side/variables-route.mts). */
import { secondMs } from "#platform/clock.ts";
import { callWorkspace, unexpectedAnswer, type Caller } from "../call-workspace.ts";
import type { Engine } from "../engine.ts";
import { runningVariables } from "../own-variables.ts";
import { n8nOwnerSettings } from "./n8n-owner-settings.ts";

const timeoutMs = 15 * secondMs;

/** The engine's call about variables. */
export function createN8nVariables(caller: Caller): Required<Pick<Engine, "setVariables">> {
  return {
    setVariables: async (address, workspace) => {
      const response = await callWorkspace(caller, {
        address,
        workspaceId: workspace.id,
        audience: "variables",
        path: "/_slipway/variables",
        body: runningVariables(workspace, n8nOwnerSettings),
        timeoutMs,
      });
      if (response.ok || response.status === 404) {
        await response.body?.cancel();
        return response.ok;
      }
      throw await unexpectedAnswer(caller, response);
    },
  };
}
