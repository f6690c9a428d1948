/** How people use n8n, for the suite of all engines. */
import { webhookWorkflow } from "./hook-scene.ts";
import type { EngineHands, EngineScene } from "../engine-suite.ts";

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .find((header) => header.startsWith("n8n-auth="))
    ?.split(";")[0] ?? "";

const ask = (scene: EngineScene, cookie: string, path: string, body?: object): Promise<Response> =>
  fetch(`http://${scene.address()}${path}`, {
    headers: { connection: "close", cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });

async function readData<Data>(answer: Response): Promise<Data> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error((JSON.parse(text) as { message?: string }).message ?? text);
  return (JSON.parse(text) as { data: Data }).data;
}

export const n8nHands: EngineHands = {
  isSignedIn: async (scene, answer) => (await ask(scene, cookieOf(answer), "/rest/login")).status === 200,
  activateWebhook: async (scene, signIn, name) => {
    const cookie = cookieOf(signIn);
    const answer = {
      name: "Answer",
      type: "n8n-nodes-base.set",
      typeVersion: 3.4,
      parameters: { assignments: { assignments: [{ id: "a", name: "answered", type: "boolean", value: true }] }, options: {} },
    };
    const made = await readData<{ id: string; versionId: string }>(
      await ask(scene, cookie, "/rest/workflows", webhookWorkflow(name, answer)),
    );
    await readData(await ask(scene, cookie, `/rest/workflows/${made.id}/activate`, { versionId: made.versionId }));
  },
  webhookPath: (name) => `/webhook/${name}`,
};
