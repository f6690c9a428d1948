/** One attack: what the attacker does, and what is looked at from outside afterwards. */
import type { Scene } from "./scene/scene.ts";

export interface Outcome {
  /** What stopped the attacker, as the attacker was told. */
  stoppedBy: string;
  /** What was harmed, a sentence each; none is what everybody wants. */
  harms: readonly string[];
  /** The neighbour's answers while it ran against those of quiet moments just before and after. */
  latency?: Latency;
}

export interface Latency {
  /** Median under attack by median in quiet. */
  ratio: number;
  quietMs: number;
  medianMs: number;
  p95Ms: number;
}

export interface Attack {
  /** Continues "an attacker …". */
  title: string;
  /** By which doors. */
  means: string;
  /** The attacker may lose its own n8n by it; the next attack waits for it. */
  mayEndItself?: boolean;
  run(scene: Scene): Promise<Outcome>;
}

/** What many tries were told, each answer once. */
export const words = (answers: Iterable<string>): string =>
  [...new Set(answers)]
    .filter((answer) => answer !== "")
    .toSorted()
    .join(", ") || "nothing was there";
