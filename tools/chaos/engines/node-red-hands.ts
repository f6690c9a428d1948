/** A Node-RED with a webhook that writes each call to a file before it answers. */
import { ask, type Answer } from "#testing/ask.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import type { Slipway } from "#testing/program/start-slipway.ts";
import { waitFor } from "#testing/wait-for.ts";
import type { Hands, Letter } from "./engine-hands.ts";

const fileName = `msg.filename = env.get("SLIPWAY_FOLDER") + "/letters.txt"; return msg;`;

const flowsWith = (marker: string): object[] => [
  { id: "tab", type: "tab", label: marker },
  { id: "in", type: "http in", z: "tab", url: "/letters", method: "post", wires: [["name"]] },
  { id: "name", type: "function", z: "tab", func: fileName, outputs: 1, wires: [["write"]] },
  {
    id: "write",
    type: "file",
    z: "tab",
    filename: "filename",
    filenameType: "msg",
    appendNewline: true,
    createDir: false,
    overwriteFile: "false",
    encoding: "none",
    wires: [["say"]],
  },
  { id: "say", type: "function", z: "tab", func: `msg.payload = { kept: msg.payload.id }; return msg;`, outputs: 1, wires: [["out"]] },
  { id: "out", type: "http response", z: "tab", statusCode: "200", wires: [] },
  { id: "look", type: "http in", z: "tab", url: "/letters", method: "get", wires: [["which"]] },
  { id: "which", type: "function", z: "tab", func: fileName, outputs: 1, wires: [["read"]] },
  { id: "read", type: "file in", z: "tab", filename: "filename", filenameType: "msg", format: "utf8", sendError: true, wires: [["out"]] },
];

/** A session in the editor, from a new link of the panel. */
async function signIn(slipway: Slipway, { token }: Customer): Promise<string> {
  const offered = await slipway.call("GET", "/api/instance/url", { token });
  if (offered.status !== 200) throw new Error(`no link: ${offered.text}`);
  const entered = await ask(offered.json<{ url: string }>().url);
  const session = new URL(entered.headers.location ?? "/", slipway.url).searchParams.get("access_token");
  if (!session) throw new Error(`not signed in: ${entered.status} ${entered.text.slice(0, 200)}`);
  return session;
}

/** Reads or replaces all flows, as the editor does. */
export async function editFlows(slipway: Slipway, customer: Customer, method: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${await signIn(slipway, customer)}`, "node-red-api-version": "v2" };
  const answer = await ask(`${slipway.workspaceUrl(customer.accountName)}/flows`, { method, headers, body });
  if (answer.status !== 200) throw new Error(`flows: ${answer.status} ${answer.text.slice(0, 200)}`);
  return answer;
}

export const nodeRedHands: Hands = {
  countsLetters: false,
  markedFile: "flows.json",
  sleeps: false,
  convergeSeconds: 30,
  rounds: 200,
  lanes: 2,
  async place(slipway, customer, marker) {
    await editFlows(slipway, customer, "POST", { flows: flowsWith(marker) });
    // Node-RED answers before the new flows have started.
    await waitFor(async () => void (await nodeRedHands.received(slipway, customer)), { timeout: 10_000, interval: 20 });
  },
  read: async (slipway, customer) =>
    (await editFlows(slipway, customer, "GET"))
      .json<{ flows: { type: string; label?: string }[] }>()
      .flows.find(({ type }) => type === "tab")?.label ?? null,
  send: (slipway, { accountName }, letter) => ask(`${slipway.workspaceUrl(accountName)}/letters`, { method: "POST", body: letter }),
  async received(slipway, { accountName }) {
    const { status, text } = await ask(`${slipway.workspaceUrl(accountName)}/letters`);
    if (status !== 200) throw new Error(`letters: ${status} ${text.slice(0, 200)}`);
    // A file that was never written reads as empty, or as the error of its node.
    return text
      .split("\n")
      .filter((line) => line.startsWith('{"id":'))
      .map((line) => JSON.parse(line) as Letter);
  },
};
