/** The engine that this deployment sells. */
import type { Clock } from "#platform/clock.ts";
import { createLineKeys } from "#platform/lines/line-keys.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Config } from "../settings/config.ts";
import type { Engine } from "../../provisioner/engines/engine.ts";
import { engineList } from "../../provisioner/engines/engine-list.ts";

/** `clock` is the machine's own. */
export function createEngine(config: Config, secrets: Secrets, clock: Clock): Engine {
  return engineList[config.engine]({
    enginesDir: config.enginesDir,
    nodeBinary: process.execPath,
    signingKey: [secrets.signingKey(), ...(secrets.previous ? [secrets.previous.signingKey()] : [])],
    lineKeys: createLineKeys(secrets),
    clock,
    secureCookies: config.secure,
    templatesUrl: config.templatesUrl,
    license: config.n8nLicense,
    communityNodes: config.communityNodes,
  });
}
