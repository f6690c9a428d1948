/** A small program in n8n's place that keeps each letter in a file before it answers: it sleeps, and starts in a fraction of a second. */
import { ask } from "#testing/ask.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import type { Slipway } from "#testing/program/start-slipway.ts";
import type { Hands, Letter } from "./engine-hands.ts";

async function visit(slipway: Slipway, { accountName }: Customer, path: string): Promise<string> {
  const { status, text } = await ask(slipway.workspaceUrl(accountName) + path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
  return text;
}

export const standInHands: Hands = {
  countsLetters: true,
  markedFile: null,
  sleeps: true,
  convergeSeconds: 30,
  rounds: 110,
  lanes: 1,
  async place(slipway, customer, marker) {
    await visit(slipway, customer, "/workflows?damage=all");
    await visit(slipway, customer, `/workflows?add=${marker}`);
  },
  read: async (slipway, customer) =>
    (JSON.parse(await visit(slipway, customer, "/workflows")) as { workflows: string[] }).workflows.join() || null,
  send: (slipway, { accountName }, letter) => ask(`${slipway.workspaceUrl(accountName)}/letters`, { method: "POST", body: letter }),
  received: async (slipway, customer) =>
    (await visit(slipway, customer, "/letters"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Letter),
};
