/** What an owner does in their n8n, over real HTTP through the gateway: sign in with the panel's link, make a workflow, call it. */
import { vi } from "vitest";
import { webhookWorkflow } from "./hook-scene.ts";
import { ask, type Answer } from "../../ask.ts";
import type { Customer } from "../../program/slipway-customer.ts";
import type { Slipway } from "../../program/start-slipway.ts";

/** The one-time link of the panel's Open button. */
export async function loginLink(slipway: Slipway, { token }: Customer): Promise<string> {
  const answer = await slipway.call("GET", "/api/instance/url", { token });
  if (answer.status !== 200) throw new Error(`no link: ${answer.text}`);
  return answer.json<{ url: string }>().url;
}

/** Follows a fresh link and returns the cookie of n8n's own session. */
export async function signInToN8n(slipway: Slipway, customer: Customer): Promise<string> {
  const answer = await ask(await loginLink(slipway, customer));
  const cookie = answer.headers["set-cookie"]?.find((header) => header.startsWith("n8n-auth="));
  if (answer.status !== 302 || !cookie) throw new Error(`not signed in: ${answer.status} ${answer.text.slice(0, 500)}`);
  return cookie.split(";")[0]!;
}

const echoWorkflow = webhookWorkflow(
  "echo",
  {
    name: "Set",
    type: "n8n-nodes-base.set",
    typeVersion: 3.4,
    parameters: { assignments: { assignments: [{ id: "a", name: "echo", value: "={{ $json.body.say }}", type: "string" }] } },
  },
  "POST",
);

/** Makes and activates a workflow that echoes its webhook's input; resolves once it answers. */
export async function activateEcho(slipway: Slipway, customer: Customer): Promise<void> {
  const cookie = await signInToN8n(slipway, customer);
  const post = async <Data>(path: string, body: unknown): Promise<Data> => {
    const answer = await ask(slipway.workspaceUrl(customer.accountName) + path, { method: "POST", headers: { cookie }, body });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer.json<{ data: Data }>().data;
  };
  const { id, versionId } = await post<{ id: string; versionId: string }>("/rest/workflows", echoWorkflow);
  await post(`/rest/workflows/${id}/activate`, { versionId });
  // n8n registers a webhook a moment after it reports the workflow as active.
  await vi.waitFor(
    async () => {
      const { status, text } = await callEcho(slipway, customer, "ready?");
      if (status !== 200) throw new Error(`the webhook is not ready: ${status} ${text.slice(0, 200)}`);
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** Calls the workflow's webhook as a stranger. */
export function callEcho(slipway: Slipway, { accountName }: Customer, say: string): Promise<Answer> {
  return ask(`${slipway.workspaceUrl(accountName)}/webhook/echo`, { method: "POST", body: { say } });
}
