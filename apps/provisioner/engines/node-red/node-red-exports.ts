/** Flows and credentials of a Node-RED as files that another Node-RED imports (workspace-side/export-route.mts). */
import { z } from "zod";
import { minuteMs } from "#platform/clock.ts";
import { createAsk, type Caller } from "../call-workspace.ts";
import type { EngineExports } from "../port/engine-copies.ts";
import { companionsIn, sealedCredentials, toCredentialsFile, toText } from "../export-files.ts";

const timeoutMs = 5 * minuteMs;
const mostAnswerBytes = 64 * 1024 * 1024;

// The tenant's process writes this, so only these shapes are accepted.
const exported = z.object({
  flows: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  credentials: sealedCredentials.optional(),
});

/** Calls that each carry a fresh token for this workspace. */
export function createNodeRedExports(caller: Caller): EngineExports {
  const ask = createAsk(caller, "export", { timeoutMs, mostAnswerBytes });
  return {
    async *read(address, workspaceId, credentialsKey) {
      const { flows, credentials } = await ask(
        exported,
        address,
        workspaceId,
        "/_slipway/export",
        credentialsKey ? { credentialsKey } : {},
      );
      yield { kind: "workflow", path: "flows.json", content: toText(flows), count: flows.filter(({ type }) => type === "tab").length };
      if (credentials) yield toCredentialsFile(credentials);
    },
    companions: companionsIn(import.meta.dirname),
  };
}
