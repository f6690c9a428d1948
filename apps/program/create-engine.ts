/** The engine that this deployment sells. */
import type { Clock } from "#platform/clock.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Config } from "../config.ts";
import type { Engine } from "../provisioner/engines/engine.ts";
import { createN8nEngine } from "../provisioner/engines/n8n/create-n8n-engine.ts";

export function createEngine(config: Config, secrets: Secrets, clock: Clock): Engine {
  return createN8nEngine({
    enginesDir: config.enginesDir,
    nodeBinary: process.execPath,
    signingKey: secrets.signingKey(),
    secureCookies: config.secure,
    templatesUrl: config.templatesUrl,
    clock,
  });
}
