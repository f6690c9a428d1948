/** How each engine is created. To add one, add its folder, its name in contract/workspaces/engine-names.ts and a line here. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Engine } from "./engine.ts";
import { createN8nEngine, type N8nEngineOptions } from "./n8n/create-n8n-engine.ts";
import { createNodeRedEngine } from "./node-red/create-node-red-engine.ts";

/** Options for all engines; each takes those it needs. */
export type EngineOptions = N8nEngineOptions;

export const engineList: Readonly<Record<EngineName, (options: EngineOptions) => Engine>> = {
  n8n: createN8nEngine,
  "node-red": createNodeRedEngine,
};
