/** What the owner and the visitors of a workspace do in it, for each engine: all over HTTP and through the gateway. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Answer } from "#testing/ask.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import type { Slipway } from "#testing/program/start-slipway.ts";
import { n8nHands } from "./n8n-hands.ts";
import { nodeRedHands } from "./node-red-hands.ts";
import { standInHands } from "./stand-in-hands.ts";

/** What runs in the workspaces: a real engine, or a stand-in for n8n. */
export type ChaosEngine = EngineName | "stand-in";

/** The content of a webhook call; long enough to arrive in several pieces. */
export interface Letter {
  id: string;
  text: string;
}

export interface Hands {
  /** Puts `marker` into the workspace, in place of the previous one, and activates a webhook. */
  place(slipway: Slipway, customer: Customer, marker: string): Promise<void>;
  /** The current marker. */
  read(slipway: Slipway, customer: Customer): Promise<string | null>;
  send(slipway: Slipway, customer: Customer, letter: Letter): Promise<Answer>;
  /** Every letter that arrived, in order; null if the engine keeps no list. */
  received(slipway: Slipway, customer: Customer): Promise<Letter[] | null>;
  /** Whether each letter that arrived counts as an execution, and nothing else does. */
  countsLetters: boolean;
  /** The file in a backup that contains the marker in clear text; null if there is none. */
  markedFile: string | null;
  /** Whether its workspaces fall asleep, on a host that can freeze them. */
  sleeps: boolean;
  /** The time within which everything must have recovered, unless --limit gives another. */
  convergeSeconds: number;
  /** Rounds and lanes unless they are given. */
  rounds: number;
  lanes: number;
}

export const engineHands = { "node-red": nodeRedHands, n8n: n8nHands, "stand-in": standInHands } satisfies Record<ChaosEngine, Hands>;
