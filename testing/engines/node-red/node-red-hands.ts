/** How people use Node-RED, for the suite of all engines. */
import assert from "node:assert/strict";
import type { EngineHands, EngineScene } from "../engine-suite.ts";

const tokenOf = (answer: Response): string =>
  new URL(answer.headers.get("location") ?? "/", "http://workspace").searchParams.get("access_token") ?? "";

const ask = (scene: EngineScene, token: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://${scene.address()}${path}`, {
    ...init,
    headers: {
      connection: "close",
      authorization: `Bearer ${token}`,
      "node-red-api-version": "v2",
      ...(init.headers as Record<string, string> | undefined),
    },
  });

export const nodeRedHands: EngineHands = {
  isSignedIn: async (scene, answer) => (await ask(scene, tokenOf(answer), "/flows")).status === 200,
  activateWebhook: async (scene, signIn, name) => {
    const token = tokenOf(signIn);
    const { flows, rev } = (await (await ask(scene, token, "/flows")).json()) as { flows: object[]; rev: string };
    const added = [
      { id: `tab-${name}`, type: "tab", label: name },
      { id: `in-${name}`, type: "http in", z: `tab-${name}`, url: `/${name}`, method: "get", wires: [[`code-${name}`]] },
      {
        id: `code-${name}`,
        type: "function",
        z: `tab-${name}`,
        func: "return { req: msg.req, res: msg.res, payload: { doubled: 42 } };",
        outputs: 1,
        wires: [[`out-${name}`]],
      },
      { id: `out-${name}`, type: "http response", z: `tab-${name}`, statusCode: "200", wires: [] },
    ];
    const answer = await ask(scene, token, "/flows", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rev, flows: [...flows, ...added] }),
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(text);
    assert.equal(answer.status, 200, text);
  },
  webhookPath: (name) => `/${name}`,
};
