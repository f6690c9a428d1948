/** The engine that this deployment sells. */
import type { Clock } from "#platform/clock.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Config } from "../settings/config.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import { createN8nEngine } from "../../provisioner/engines/n8n/create-n8n-engine.ts";
import { createNodeRedEngine } from "../../provisioner/engines/node-red/create-node-red-engine.ts";

/** `clock` is the machine's own. */
export function createEngine(config: Config, secrets: Secrets, clock: Clock): Engine {
  const common = {
    enginesDir: config.enginesDir,
    nodeBinary: process.execPath,
    signingKey: [secrets.signingKey(), ...(secrets.previous ? [secrets.previous.signingKey()] : [])],
    clock,
  };
  if (config.engine === "node-red") return createNodeRedEngine(common);
  return createN8nEngine({
    ...common,
    secureCookies: config.secure,
    templatesUrl: config.templatesUrl,
    license: config.n8nLicense,
    communityNodes: config.communityNodes,
  });
}
