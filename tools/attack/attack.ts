/** One attack: what the attacker does, and what is checked from outside afterwards. */
import type { Scene } from "./scene/scene.ts";

export interface Outcome {
  /** What stopped the attacker, in the words of the refusal. */
  stoppedBy: string;
  /** The harm done, one sentence each; none is the goal. */
  harms: readonly string[];
  /** The neighbour's latency during the attack, compared with quiet moments just before and after. */
  latency?: Latency;
}

export interface Latency {
  /** Median latency under attack divided by the quiet median. */
  ratio: number;
  quietMs: number;
  medianMs: number;
  quietP95Ms: number;
  p95Ms: number;
}

export interface Attack {
  /** Continues "an attacker …". */
  title: string;
  /** The doors it uses. */
  means: string;
  /** The attacker may lose its own n8n; the next attack waits until it is back. */
  mayEndItself?: boolean;
  run(scene: Scene): Promise<Outcome>;
}

/** The answers to many attempts, each once. */
export const words = (answers: Iterable<string>): string =>
  [...new Set(answers)]
    .filter((answer) => answer !== "")
    .toSorted()
    .join(", ") || "nothing was there";
