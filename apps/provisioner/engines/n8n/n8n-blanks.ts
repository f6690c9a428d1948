/** n8n workspaces that are started before they have an owner, claimed through the hook (workspace-side/claim/claim-route.mts). */
import { secondMs } from "#platform/clock.ts";
import { createAsk, done, type Caller } from "../call-workspace.ts";
import type { EngineBlanks } from "../engine.ts";
import { blankUrl } from "./workspace-side/claim/blank-url.mts";

/** A claim takes 0.2 s, or 4 s on a host so busy that a fast start takes 20 s: giving up sooner would cost more than it saves. */
const timeoutMs = 10 * secondMs;

/** The engine's part in the pool. */
export function createN8nBlanks(caller: Caller): EngineBlanks {
  const ask = createAsk(caller, "claim", { timeoutMs });
  return {
    unowned: (workspace) => ({ ...workspace, generation: 0, run: true, timezone: "Etc/UTC", publicUrl: blankUrl }),
    claim: async (address, { id, publicUrl, timezone }) => {
      await ask(done, address, id, "/_slipway/claim", { publicUrl, timezone });
    },
  };
}
