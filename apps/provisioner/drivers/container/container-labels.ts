/**
 * The labels of containers, pods and their storage. They make it possible to find them after any crash, and say what they were started
 * from.
 */
import type { RunSpec } from "../driver.ts";
import { hashRunSpec } from "../hash-run-spec.ts";

export const workspaceLabel = "slipway.dev/workspace";
export const specHashLabel = "slipway.dev/spec-hash";
const generationLabel = "slipway.dev/generation";
/** The mark of the key that proves its id; it precedes its address. */
export const lineLabel = "slipway.dev/line";

/** The labels of what is started from this spec, with the key of this mark. */
export const labelsOf = (spec: RunSpec, mark: string): Record<string, string> => ({
  [workspaceLabel]: spec.workspaceId,
  [specHashLabel]: hashRunSpec(spec),
  [generationLabel]: String(spec.generation),
  [lineLabel]: mark,
});

/** What the labels say it was started from; nothing if they are not ours. */
export function readLabels(labels: Readonly<Record<string, string>> = {}): { specHash?: string; generation?: number } {
  const { [specHashLabel]: specHash, [generationLabel]: generation } = labels;
  return specHash === undefined ? {} : { specHash, generation: Number(generation) };
}
