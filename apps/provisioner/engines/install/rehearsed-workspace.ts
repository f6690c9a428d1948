import type { Engine, EngineWorkspace } from "../engine.ts";

/**
 * The workspace of a rehearsal: it has no owner, and its secrets are discarded. Its memory is that of the smallest plan that starts
 * in time.
 */
export const rehearsedWorkspace = (engine: Pick<Engine, "createSecrets">): EngineWorkspace => ({
  id: "rehearsal",
  number: 0,
  generation: 0,
  run: true,
  timezone: "Etc/UTC",
  memoryMb: 1024,
  publicUrl: "http://rehearsal.localhost",
  panelUrl: "http://localhost",
  secrets: engine.createSecrets(),
});
