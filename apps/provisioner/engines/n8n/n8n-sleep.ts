/** Asks an n8n whether it may sleep, through the hook (workspace-side/sleep-route.mts). */
import { createAsk, type Caller } from "../call-workspace.ts";
import type { EngineSleep } from "../engine.ts";
import { saidRest } from "../said-rest.ts";

/** The engine's part in sleep. */
export function createN8nSleep(caller: Caller): EngineSleep {
  const ask = createAsk(caller, "status");
  return {
    ask: (address, workspaceId) => ask(saidRest, address, workspaceId, "/_slipway/sleep"),
    monitored: /^\/healthz(?:\/readiness)?\/?(?:\?|$)/,
    // n8n's webhooks, forms and MCP servers have their own prefixes, so none of these belongs to a workflow.
    absent:
      /^\/(?:\.(?!well-known\/)|wp-|wordpress\/|cgi-bin\/|phpmyadmin|vendor\/phpunit|[^/?]+\.(?:php\d?|aspx?|jsp|cgi|env|sql)(?:\?|$))/i,
  };
}
