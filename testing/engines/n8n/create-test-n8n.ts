/** The n8n engine as tests and benchmarks run it: the engines of the cache, on this Node. */
import { generateKeyPairSync } from "node:crypto";
import { createN8nEngine, type N8nEngineOptions } from "#apps/provisioner/engines/n8n/create-n8n-engine.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "../engines-cache.ts";

/** With a signing key of its own, unless the test signs tokens itself. */
export const createTestN8n = (options: Partial<N8nEngineOptions> = {}): Engine =>
  createN8nEngine({
    enginesDir: enginesCacheDir,
    nodeBinary: process.execPath,
    signingKey: generateKeyPairSync("ed25519").privateKey,
    clock: systemClock,
    secureCookies: false,
    ...options,
  });
