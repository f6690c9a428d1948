/** What the owner and the visitors of a workspace do in it, by engine: all over HTTP and through the gateway. */
import type { Answer } from "#testing/ask.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import type { Slipway } from "#testing/program/start-slipway.ts";
import { n8nHands } from "./n8n-hands.ts";
import { nodeRedHands } from "./node-red-hands.ts";

/** What a webhook carries; long enough to come in several pieces. */
export interface Letter {
  id: string;
  text: string;
}

export interface Hands {
  /** Makes the workspace hold `marker`, in place of the one before, and take webhooks. */
  place(slipway: Slipway, customer: Customer, marker: string): Promise<void>;
  /** The marker that it holds. */
  read(slipway: Slipway, customer: Customer): Promise<string | null>;
  send(slipway: Slipway, customer: Customer, letter: Letter): Promise<Answer>;
  /** Every letter that arrived, in order; null where the engine keeps no such list. */
  received(slipway: Slipway, customer: Customer): Promise<Letter[] | null>;
  /** Where in a backup the marker stands in clear; null where it does not. */
  markedFile: string | null;
}

export const engineHands = { "node-red": nodeRedHands, n8n: n8nHands } satisfies Record<string, Hands>;
export type ChaosEngine = keyof typeof engineHands;
