/** Conversations with a workflow: visitors of a hosted chat, and assistants that use its tools over MCP. Part of work-suite.ts. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Response } from "undici";
import type { HookPromise, HookScene } from "./hook-scene.ts";
import { chain, code, ownerCookie, post, publish, visit, whenThere } from "./work-scene.ts";

const streamTimeoutMs = 60_000;
const accept = "application/json, text/event-stream";

const request = (id: number, method: string, params: object = {}): object => ({ jsonrpc: "2.0", id, method, params });
const initialize = request(1, "initialize", {
  protocolVersion: "2025-03-26",
  capabilities: {},
  clientInfo: { name: "assistant", version: "1.0.0" },
});
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const multiply = request(3, "tools/call", { name: "Calculator", arguments: { input: "6 * 7" } });

/** Publishes an MCP server whose one tool is a calculator. Returns its path. */
async function publishServer(scene: HookScene): Promise<string> {
  const path = `tools-${randomUUID()}`;
  const server = {
    name: "Tools",
    type: "@n8n/n8n-nodes-langchain.mcpTrigger",
    typeVersion: 2,
    webhookId: randomUUID(),
    parameters: { path, authentication: "none" },
  };
  const calculator = { name: "Calculator", type: "@n8n/n8n-nodes-langchain.toolCalculator", typeVersion: 1 };
  const connections = { Calculator: { ai_tool: [[{ node: "Tools", type: "ai_tool", index: 0 }]] } };
  await publish(scene, await ownerCookie(scene), { ...chain(path, [server, calculator]), connections });
  return `/mcp/${path}`;
}

/** The result in an answer over streamable HTTP, which is an event stream of one message. */
async function resultOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const message = /^data: (.*)$/m.exec(text)?.[1];
  assert.ok(response.status === 200 && message, `${response.status} ${text.slice(0, 500)}`);
  return (JSON.parse(message) as { result: Record<string, unknown> }).result;
}

/** Reads an event stream as it arrives; each call continues until everything read so far matches. */
function listen(response: Response): { until(pattern: RegExp): Promise<RegExpExecArray>; close(): Promise<void> } {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        const { done, value } = await reader.read();
        assert.ok(!done, `the stream ended before ${pattern}: ${text.slice(0, 500)}`);
        text += decoder.decode(value as Uint8Array, { stream: true });
      }
    },
    close: () => reader.cancel(),
  };
}

export const assistantSuite: readonly HookPromise[] = [
  {
    promise: "a hosted chat shows its page, answers visitors, and can be embedded in another site",
    keep: async (scene) => {
      const webhookId = randomUUID();
      const path = `/webhook/${webhookId}/chat`;
      const trigger = {
        name: "Chat",
        type: "@n8n/n8n-nodes-langchain.chatTrigger",
        typeVersion: 1.1,
        webhookId,
        parameters: { public: true, mode: "hostedChat", initialMessages: "Welcome to the shop", options: {} },
      };
      await publish(
        scene,
        await ownerCookie(scene),
        chain(`chat-${webhookId}`, [trigger, code("return [{ json: { output: 'You wrote ' + $input.first().json.chatInput } }];")]),
      );
      const page = await whenThere(() => visit(scene, path, { headers: { accept: "text/html" } }));
      const text = await page.text();
      assert.equal(page.status, 200, text.slice(0, 500));
      assert.match(text, /Welcome to the shop/);
      // The page sends to the workspace's own address.
      assert.match(text, new RegExp(`http://[a-z]+\\.localhost:3000${path}`));
      const origin = "https://shop.example";
      const preflight = await visit(scene, path, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      });
      assert.deepEqual(
        [preflight.status, preflight.headers.get("access-control-allow-origin"), preflight.headers.get("access-control-allow-headers")],
        [204, origin, "content-type"],
      );
      const answer = await post(scene, path, { action: "sendMessage", sessionId: randomUUID(), chatInput: "hello" }, { origin });
      assert.deepEqual(
        [answer.status, answer.headers.get("access-control-allow-origin"), await answer.json()],
        [200, origin, { output: "You wrote hello" }],
      );
    },
  },
  {
    promise: "an assistant connects to an MCP server over streamable HTTP, lists its tools and uses one",
    keep: async (scene) => {
      const path = await publishServer(scene);
      const opened = await whenThere(() => post(scene, path, initialize, { accept }));
      assert.deepEqual((await resultOf(opened))["serverInfo"], { name: "Tools", version: "0.1.0" });
      const session = { accept, "mcp-session-id": opened.headers.get("mcp-session-id")! };
      assert.equal((await post(scene, path, initialized, session)).status, 202);
      const { tools } = await resultOf(await post(scene, path, request(2, "tools/list"), session));
      assert.deepEqual(
        (tools as { name: string }[]).map(({ name }) => name),
        ["Calculator"],
      );
      assert.deepEqual((await resultOf(await post(scene, path, multiply, session)))["content"], [{ type: "text", text: "42" }]);
      assert.equal((await visit(scene, path, { method: "DELETE", headers: session })).status, 200);
    },
  },
  {
    promise: "an assistant that supports only server-sent events uses a tool of an MCP server and receives the result on its open stream",
    keep: async (scene) => {
      const path = await publishServer(scene);
      const stream = await whenThere(() =>
        visit(scene, path, { headers: { accept: "text/event-stream" }, signal: AbortSignal.timeout(streamTimeoutMs) }),
      );
      assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
      const events = listen(stream);
      const [, endpoint] = await events.until(/^event: endpoint\ndata: (\S+)\n/m);
      assert.equal((await post(scene, endpoint!, initialize)).status, 202);
      await events.until(/"serverInfo":/);
      assert.equal((await post(scene, endpoint!, initialized)).status, 202);
      assert.equal((await post(scene, endpoint!, multiply)).status, 202);
      await events.until(/"content":\[\{"type":"text","text":"42"\}\]/);
      await events.close();
    },
  },
];
