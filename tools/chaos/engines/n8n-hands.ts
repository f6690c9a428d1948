/** A real n8n with a webhook that echoes. It keeps no list of calls, so only its answers are checked. */
import { ask, type Answer } from "#testing/ask.ts";
import { activateEcho, signInToN8n } from "#testing/engines/n8n/n8n-owner.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import type { Slipway } from "#testing/program/start-slipway.ts";
import type { Hands } from "./engine-hands.ts";

interface WorkflowList {
  data: { id: string; name: string; createdAt: string }[];
}

async function work(slipway: Slipway, customer: Customer, method: string, path: string, body?: object): Promise<Answer> {
  const cookie = await signInToN8n(slipway, customer);
  const answer = await ask(slipway.workspaceUrl(customer.accountName) + path, { method, headers: { cookie }, body });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
  return answer;
}

const list = async (slipway: Slipway, customer: Customer) =>
  (await work(slipway, customer, "GET", "/rest/workflows")).json<WorkflowList>().data;
const isMarker = ({ name }: { name: string }): boolean => name.startsWith("marker");

export const n8nHands: Hands = {
  countsLetters: false,
  markedFile: null,
  sleeps: true,
  // It takes 10 to 17 s and a core to boot on a quiet machine, twice in an update.
  convergeSeconds: 90,
  rounds: 20,
  lanes: 1,
  async place(slipway, customer, marker) {
    const there = await list(slipway, customer);
    if (!there.some((workflow) => !isMarker(workflow))) await activateEcho(slipway, customer);
    await work(slipway, customer, "POST", "/rest/workflows", { name: marker, nodes: [], connections: {}, settings: {} });
  },
  async read(slipway, customer) {
    const markers = (await list(slipway, customer)).filter(isMarker);
    return markers.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0]?.name ?? null;
  },
  send: (slipway, { accountName }, letter) =>
    ask(`${slipway.workspaceUrl(accountName)}/webhook/echo`, { method: "POST", body: { say: letter.id, text: letter.text } }),
  received: () => Promise.resolve(null),
};
