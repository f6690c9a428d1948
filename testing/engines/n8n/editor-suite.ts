/** The editor as its owner uses it: push messages to two tabs, and credentials that sign in to other services. Part of work-suite.ts. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket, type MessageEvent } from "undici";
import { toLoopback } from "../visit.ts";
import type { HookPromise, HookScene } from "./hook-scene.ts";
import { until } from "./quota-suite.ts";
import { chain, code, dataOf, ownerCookie, post, visit } from "./work-scene.ts";

const openTimeoutMs = 60_000;

interface Pushed {
  type: string;
  data: Record<string, unknown>;
}

/** A tab of the editor, by its push connection. */
interface Tab extends Disposable {
  /** Its name in n8n; a request with it in `push-ref` is this tab's. */
  ref: string;
  tell(message: object): void;
  /** Resolves when n8n has pushed a message of this type with matching data; an earlier one counts. */
  hears(type: string, fits: (data: Record<string, unknown>) => boolean): Promise<void>;
}

const connect = (scene: HookScene, cookie: string, ref: string, origin: string): WebSocket =>
  new WebSocket(`${scene.door().replace(/^http/, "ws")}/rest/push?pushRef=${ref}`, { headers: { cookie, origin }, dispatcher: toLoopback });

/**
 * Opens this workflow in a tab. n8n listens a moment after it accepts the connection, so the tab repeats its message until it is received.
 */
async function openTab(scene: HookScene, cookie: string, workflowId: string): Promise<Tab> {
  const ref = randomUUID();
  const socket = connect(scene, cookie, ref, scene.door());
  socket.binaryType = "arraybuffer";
  const pushed: Pushed[] = [];
  socket.addEventListener("message", ({ data }: MessageEvent) =>
    pushed.push(JSON.parse(typeof data === "string" ? data : Buffer.from(data as ArrayBuffer).toString("utf8")) as Pushed),
  );
  await once(socket, "open", { signal: AbortSignal.timeout(openTimeoutMs) });
  const tell = (message: object): void => socket.send(JSON.stringify(message));
  const hasHeard: (...asked: Parameters<Tab["hears"]>) => boolean = (type, fits) =>
    pushed.some((message) => message.type === type && fits(message.data));
  await until(async () => {
    tell({ type: "workflowOpened", workflowId });
    return hasHeard("collaboratorsChanged", (data) => data["workflowId"] === workflowId);
  }, "the tab is known");
  return {
    ref,
    tell,
    hears: (type, fits) => until(async () => hasHeard(type, fits), type),
    [Symbol.dispose]: () => socket.close(),
  };
}

export const editorSuite: readonly HookPromise[] = [
  {
    promise: "two tabs of the editor each follow their own execution, and show which of them edits and saves",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const start = { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1 };
      const workflow = chain(`tabs-${randomUUID()}`, [start, code("return [{ json: { large: 'x'.repeat(300_000) } }];")]);
      const { id } = await dataOf<{ id: string }>(await post(scene, "/rest/workflows", workflow, { cookie }));
      using first = await openTab(scene, cookie, id);
      using second = await openTab(scene, cookie, id);
      const tabs = [first, second];
      await Promise.all(
        tabs.map(async (tab) => {
          const { executionId } = await dataOf<{ executionId: string }>(
            await post(scene, `/rest/workflows/${id}/run`, { triggerToStartFrom: { name: "Start" } }, { cookie, "push-ref": tab.ref }),
          );
          await tab.hears("executionStarted", (data) => data["executionId"] === executionId);
          // More than one frame holds.
          await tab.hears(
            "nodeExecuteAfterData",
            (data) =>
              data["executionId"] === executionId && data["nodeName"] === "Code" && JSON.stringify(data).includes("x".repeat(300_000)),
          );
          await tab.hears("executionFinished", (data) => data["executionId"] === executionId && data["status"] === "success");
        }),
      );
      first.tell({ type: "writeAccessRequested", workflowId: id });
      for (const tab of tabs) await tab.hears("writeAccessAcquired", (data) => data["clientId"] === first.ref);
      const rename = (tab: Tab, name: string) => post(scene, `/rest/workflows/${id}`, { name }, { cookie, "push-ref": tab.ref }, "PATCH");
      const refused = await rename(second, "Second");
      assert.equal(refused.status, 409);
      assert.match(await refused.text(), /open in another tab/);
      assert.equal((await dataOf<{ name: string }>(await rename(first, "First"))).name, "First");
      await second.hears("workflowUpdated", (data) => data["workflowId"] === id);
    },
  },
  {
    promise: "another site's page cannot listen to the editor",
    keep: async (scene) => {
      const socket = connect(scene, await ownerCookie(scene), randomUUID(), "https://evil.example");
      const [{ data }] = (await once(socket, "message", { signal: AbortSignal.timeout(openTimeoutMs) })) as [MessageEvent];
      assert.equal(data, "Invalid origin!");
      socket.close();
    },
  },
  {
    promise: "an OAuth credential has a callback URL at the workspace's own address, which answers",
    keep: async (scene) => {
      const cookie = await ownerCookie(scene);
      const data = {
        grantType: "authorizationCode",
        authUrl: "https://provider.example/authorize",
        accessTokenUrl: "http://127.0.0.1:9/token",
        clientId: "shop",
        clientSecret: "secret",
        scope: "read",
        authentication: "header",
      };
      const { id } = await dataOf<{ id: string }>(
        await post(scene, "/rest/credentials", { name: randomUUID(), type: "oAuth2Api", data }, { cookie }),
      );
      const provider = new URL(await dataOf<string>(await visit(scene, `/rest/oauth2-credential/auth?id=${id}`, { headers: { cookie } })));
      const { oauthCallbackUrls } = await dataOf<{ oauthCallbackUrls: { oauth2: string } }>(
        await visit(scene, "/rest/settings", { headers: { cookie } }),
      );
      const back = new URL(provider.searchParams.get("redirect_uri")!);
      assert.deepEqual([provider.origin, back.href], ["https://provider.example", oauthCallbackUrls.oauth2]);
      assert.match(back.href, /^http:\/\/[a-z]+\.localhost:3000\/rest\/oauth2-credential\/callback$/);
      // The provider's token address is private here, and the page says so.
      back.search = new URLSearchParams({ code: "code", state: provider.searchParams.get("state")! }).toString();
      const page = await visit(scene, back.pathname + back.search, { headers: { cookie, accept: "text/html" } });
      assert.equal(page.status, 200);
      assert.match(await page.text(), /restricted IP address/);
    },
  },
];
