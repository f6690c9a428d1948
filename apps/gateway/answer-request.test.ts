import { once } from "node:events";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { ask, deferred, online, probeToken, startPair, startTestGateway, startTestWorkspace } from "#testing/network/start-test-gateway.ts";

const closed = (state: GatewayRoute["state"], more: Partial<GatewayRoute> = {}): GatewayRoute => ({
  workspaceId: "w",
  state,
  address: null,
  open: false,
  ...more,
});
const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/** Requests that call no webhook: pages, in these tests. */
const pagesOnly = { isCall: () => false, note: () => undefined };

test.each([
  ["unknown", null, 404, "workspace_unknown", undefined],
  ["starting", closed("starting"), 503, "workspace_starting", "2"],
  ["online and not open yet", closed("online", { address: "127.0.0.1:1" }), 503, "workspace_starting", "2"],
  ["stopped", closed("stopped"), 503, "workspace_stopped", "300"],
  ["stopped, though still marked open", closed("stopped", { open: true, address: "127.0.0.1:1" }), 503, "workspace_stopped", "300"],
  ["offline", closed("offline"), 503, "workspace_offline", "10"],
])("a browser gets a page about a workspace that is %s", async (_state, route, status, code, retryAfter) => {
  await using front = await startTestGateway();
  front.setRoute("acme", route);
  const answer = await ask(front.port, { headers: browser });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  expect(answer.headers["retry-after"]).toBe(retryAfter);
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(answer.body).toContain(code);
  expect(answer.body).toContain("acme.localhost");
  expect(answer.body).toContain('href="http://localhost:3000/?a=1&amp;b=2"');
  expect(answer.body).not.toContain("http-equiv");
  expect(answer.body.includes("<script")).toBe(/_(starting|offline)$/.test(code));
});

test("a program gets the same as JSON, or as text on request", async () => {
  await using front = await startTestGateway();
  front.setRoute("acme", closed("stopped"));
  const json = await ask(front.port);
  expect(json.headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(json.body)).toMatchObject({ status: 503, code: "workspace_stopped", title: "This workspace is stopped" });
  const text = await ask(front.port, { headers: { accept: "text/plain" } });
  expect(text.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(text.body).toContain("This workspace is stopped");
});

test("crawlers are sent away in each state of a workspace, and what no workspace has is not found while it is closed", async () => {
  const sleep = { record: async () => [], monitored: /^\/health$/, absent: /^\/(robots\.txt|favicon\.ico)(?:\?|$)/ };
  await using front = await startTestGateway({ sleep, limits: { maxWaitMs: 2_000 } });
  await using workspace = await startTestWorkspace((_req, res) => res.end("n8n's own"));
  const states = ["starting", "stopped", "offline", "asleep"] as const;
  for (const route of [...states.map((state) => closed(state)), online(workspace.address)]) {
    front.setRoute("acme", route);
    front.gateway.invalidate("acme");
    const robots = await ask(front.port, { path: "/robots.txt?x=1" });
    expect([route.state, robots.status, robots.body]).toEqual([route.state, 200, "User-agent: *\nDisallow: /\n"]);
    expect(robots.headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" });
    expect((await ask(front.port, { path: "/robots.txt", method: "HEAD" })).body).toBe("");
    const icon = await ask(front.port, { path: "/favicon.ico" });
    expect([route.state, icon.status]).toEqual([route.state, route.state === "online" ? 200 : 404]);
  }
  expect((await ask(front.port, { path: "/robots.txt", method: "POST" })).body).toBe("n8n's own");
});

test("where a workspace may have any path, its crawlers are its own", async () => {
  await using front = await startTestGateway();
  await using workspace = await startTestWorkspace((_req, res) => res.end("a flow's"));
  front.setRoute("acme", online(workspace.address));
  expect((await ask(front.port, { path: "/robots.txt" })).body).toBe("a flow's");
});

test("a page of another site can read why its call was refused, and when to try again; its preflight is answered", async () => {
  await using front = await startTestGateway();
  front.setRoute("acme", closed("stopped"));
  const origin = "https://shop.example";
  const called = await ask(front.port, { method: "POST", path: "/webhook/order", headers: { origin, "content-length": "0" } });
  expect([called.status, called.headers["retry-after"]]).toEqual([503, "300"]);
  expect(called.headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "retry-after",
    "cross-origin-resource-policy": "cross-origin",
    vary: "accept, accept-language, origin",
  });
  // Nothing of a visitor's own is in it, so no credentials are needed to read it.
  expect(called.headers["access-control-allow-credentials"]).toBeUndefined();
  const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type, x-order" };
  const preflight = await ask(front.port, { method: "OPTIONS", path: "/webhook/order", headers: { origin, ...asked } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type, x-order",
  });
  // Without an origin nothing changes.
  expect((await ask(front.port, { path: "/webhook/order" })).headers).toMatchObject({ "cross-origin-resource-policy": "same-origin" });
});

test("texts in the page are escaped", async () => {
  await using front = await startTestGateway();
  front.setRoute("acme", closed("offline", { reason: `<script>alert("1")</script> & 'more'` }));
  const { body } = await ask(front.port, { headers: browser });
  expect(body).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;");
  expect(body.match(/<script[^>]*>/g)).toEqual(['<script data-code="workspace_offline" data-seconds="5">']);
});

test("a HEAD request to a closed workspace gets the status without a body", async () => {
  await using front = await startTestGateway();
  front.setRoute("acme", closed("stopped"));
  expect(await ask(front.port, { method: "HEAD" })).toMatchObject({ status: 503, body: "" });
});

test("an invalid account name is unknown without a query", async () => {
  await using front = await startTestGateway();
  for (const host of ["ab.localhost", "a_b.localhost", "1abc.localhost", `${"a".repeat(26)}.localhost`, "a.b.localhost", "evil.com"]) {
    expect((await ask(front.port, { host })).status).toBe(404);
  }
  expect(front.lookedUp).toEqual([]);
});

test("a failed lookup gives 503 and no page of a workspace", async () => {
  await using front = await startTestGateway();
  front.failLookUps();
  const answer = await ask(front.port);
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body).code).toBe("gateway_unavailable");
});

test("only the right probe token reaches a closed workspace, which never sees the token", async () => {
  await using workspace = await startTestWorkspace((req, res) => res.end(JSON.stringify(req.headers)));
  await using front = await startTestGateway({ limits: { maxWaitMs: 50 } });
  front.setRoute("acme", closed("starting", { address: workspace.address }));
  const probed = await ask(front.port, { headers: { "x-slipway-probe": probeToken } });
  expect(probed.status).toBe(200);
  expect(probed.body).not.toContain("probe");
  for (const guess of ["", "wrong", `${probeToken}x`, probeToken.slice(1)]) {
    expect((await ask(front.port, { headers: { "x-slipway-probe": guess } })).status).toBe(503);
  }
});

test("without a configured token nothing is a probe", async () => {
  await using workspace = await startTestWorkspace((_req, res) => res.end());
  await using front = await startTestGateway({ probeToken: "", limits: { maxWaitMs: 50 } });
  front.setRoute("acme", closed("starting", { address: workspace.address }));
  expect((await ask(front.port, { headers: { "x-slipway-probe": "" } })).status).toBe(503);
});

test("a probe reads the current route, even before a notification", async () => {
  await using workspace = await startTestWorkspace((_req, res) => res.end("here"));
  await using front = await startTestGateway();
  front.setRoute("acme", closed("starting"));
  await ask(front.port, { headers: browser });
  front.setRoute("acme", closed("starting", { address: workspace.address }));
  expect(await ask(front.port, { headers: { "x-slipway-probe": probeToken } })).toMatchObject({ status: 200, body: "here" });
});

test("a webhook that arrives while its workspace starts is answered by the workspace, with its body", async () => {
  await using workspace = await startTestWorkspace((req, res) => void req.pipe(res));
  await using front = await startTestGateway();
  front.setRoute("acme", closed("starting"));
  const webhook = ask(front.port, { method: "POST", body: "event" });
  await vi.waitFor(() => expect(front.lookedUp).not.toEqual([]), { timeout: 15_000 });
  front.setRoute("acme", online(workspace.address));
  front.gateway.invalidate("acme");
  expect(await webhook).toMatchObject({ status: 200, body: "event" });
});

test("a waiting webhook finds an opened workspace even without a notification", async () => {
  await using workspace = await startTestWorkspace((_req, res) => res.end("ok"));
  await using front = await startTestGateway();
  front.setRoute("acme", closed("starting"));
  const webhook = ask(front.port);
  await vi.waitFor(() => expect(front.lookedUp).not.toEqual([]), { timeout: 15_000 });
  front.setRoute("acme", online(workspace.address));
  expect((await webhook).status).toBe(200);
});

test("a webhook does not wait longer than allowed", async () => {
  await using front = await startTestGateway({ limits: { maxWaitMs: 200 } });
  front.setRoute("acme", closed("starting"));
  const answer = await ask(front.port, { method: "POST", body: "event" });
  expect(JSON.parse(answer.body).code).toBe("workspace_starting");
});

test("the requests waiting for one workspace are limited, and all are released when it is stopped", async () => {
  await using front = await startTestGateway({ webhooks: pagesOnly, limits: { maxWaitingPerWorkspace: 2 } });
  front.setRoute("acme", closed("starting"));
  const answers = [ask(front.port), ask(front.port), ask(front.port)];
  const first = await Promise.race(answers);
  expect(JSON.parse(first.body).code).toBe("workspace_busy");
  front.setRoute("acme", closed("stopped"));
  front.gateway.invalidate("acme");
  const codes = (await Promise.all(answers)).map(({ body }) => JSON.parse(body).code);
  expect(codes.toSorted()).toEqual(["workspace_busy", "workspace_stopped", "workspace_stopped"]);
});

test("the total of waiting requests is limited", async () => {
  await using front = await startTestGateway({ webhooks: pagesOnly, limits: { maxWaiting: 1 } });
  const names = ["acme", "other"];
  for (const name of names) front.setRoute(name, closed("starting"));
  const answers = names.map((name) => ask(front.port, { host: `${name}.localhost` }));
  expect(JSON.parse((await Promise.race(answers)).body).code).toBe("workspace_busy");
  for (const name of names) {
    front.setRoute(name, closed("stopped"));
    front.gateway.invalidate(name);
  }
  const codes = (await Promise.all(answers)).map(({ body }) => JSON.parse(body).code);
  expect(codes.toSorted()).toEqual(["workspace_busy", "workspace_stopped"]);
});

test("a cached address at which nothing listens is looked up again, and the request is sent to the new one", async () => {
  await using front = await startPair((req, res) => void req.pipe(res));
  const { address } = front.workspace;
  front.setRoute("acme", online(await deadAddress()));
  front.gateway.invalidate("acme");
  expect((await ask(front.port, { headers: browser })).status).toBe(503);
  front.setRoute("acme", online(address));
  expect(await ask(front.port, { method: "POST", body: "kept" })).toMatchObject({ status: 200, body: "kept" });
});

test("a webhook to a workspace that died unnoticed waits for its restart and keeps its body", async () => {
  await using workspace = await startTestWorkspace((req, res) => void req.pipe(res));
  await using front = await startTestGateway();
  front.setRoute("acme", online(await deadAddress()));
  const webhook = ask(front.port, { method: "POST", body: "event" });
  // From the cache, then read again after the first refusal.
  await vi.waitFor(() => expect(front.lookedUp.length).toBeGreaterThan(1), { timeout: 15_000 });
  front.setRoute("acme", closed("starting"));
  front.gateway.invalidate("acme");
  front.setRoute("acme", online(workspace.address));
  front.gateway.invalidate("acme");
  expect(await webhook).toMatchObject({ status: 200, body: "event" });
});

test("a webhook to a workspace that died unnoticed and does not restart is refused when its time is up", async () => {
  await using front = await startTestGateway({ limits: { maxWaitMs: 300 } });
  front.setRoute("acme", online(await deadAddress()));
  const answer = await ask(front.port, { method: "POST", body: "event" });
  expect([answer.status, answer.headers["retry-after"]]).toEqual([503, expect.any(String)]);
});

test("a visitor who leaves while their use is recorded reaches no workspace and takes no place", async () => {
  let received = 0;
  await using workspace = await startTestWorkspace((_req, res) => {
    received += 1;
    res.end("x".repeat(1_000_000));
  });
  const recording = deferred();
  const recorded = deferred<string[]>();
  const record = () => {
    recording.resolve();
    return recorded.promise;
  };
  await using front = await startTestGateway({
    limits: { maxInFlight: 1 },
    sleep: { record, monitored: /^\/health$/, absent: /^\/absent$/ },
  });
  front.setRoute("acme", online(workspace.address));
  const req = request({ port: front.port, host: "127.0.0.1", headers: { host: "acme.localhost" } }).end();
  req.on("error", () => undefined);
  await recording.promise;
  req.destroy();
  await vi.waitFor(async () => expect(await front.connections()).toBe(0), 20_000);
  recorded.resolve([]);
  await sleep(50);
  expect(received).toBe(0);
  expect(await ask(front.port)).toMatchObject({ status: 200 });
});

test("a monitor's open request does not keep its workspace awake, and a visitor's does", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const recorded: string[][] = [];
  const record = (ids: readonly string[]) => {
    recorded.push([...ids]);
    return Promise.resolve([]);
  };
  const arrived = { "/health": deferred(), "/": deferred() };
  const mayAnswer = deferred();
  await using workspace = await startTestWorkspace((req, res) => {
    arrived[req.url as keyof typeof arrived].resolve();
    void mayAnswer.promise.then(() => res.end("ok"));
  });
  await using front = await startTestGateway({ sleep: { record, monitored: /^\/health$/, absent: /^\/absent$/ } });
  front.setRoute("acme", online(workspace.address, { workspaceId: "w" }));
  const monitor = ask(front.port, { path: "/health" });
  await arrived["/health"].promise;
  vi.advanceTimersByTime(20_000);
  expect(recorded).toEqual([]);
  const visitor = ask(front.port);
  await arrived["/"].promise;
  vi.advanceTimersByTime(20_000);
  expect(recorded).toEqual([["w"], ["w"]]);
  mayAnswer.resolve();
  for (const { status } of await Promise.all([monitor, visitor])) expect(status).toBe(200);
});

test("more waiting requests than a workspace may have concurrently are sent one after the other", async () => {
  let most = 0;
  let now = 0;
  const allPlacesTaken = deferred();
  await using workspace = await startTestWorkspace((_req, res) => {
    most = Math.max(most, (now += 1));
    if (now === 3) allPlacesTaken.resolve();
    void allPlacesTaken.promise.then(() =>
      setTimeout(() => {
        now -= 1;
        res.end("ok");
      }, 20),
    );
  });
  await using front = await startTestGateway({ webhooks: pagesOnly, limits: { maxInFlight: 3 } });
  front.setRoute("acme", closed("starting"));
  const webhooks = Array.from({ length: 20 }, () => ask(front.port, { method: "POST", body: "event" }));
  await vi.waitFor(() => expect(front.arrived()).toBe(20), { timeout: 15_000 });
  front.setRoute("acme", online(workspace.address));
  front.gateway.invalidate("acme");
  for (const { status } of await Promise.all(webhooks)) expect(status).toBe(200);
  expect(most).toBe(3);
});

test("a workspace that refuses connections twice is offline", async () => {
  await using front = await startTestGateway();
  front.setRoute("acme", online(await deadAddress()));
  const answer = await ask(front.port, { headers: browser });
  expect(answer.status).toBe(503);
  expect(answer.body).toContain("workspace_offline");
  expect(front.lookedUp).toHaveLength(2);
});

test("a request waits for a workspace that is found restarting", async () => {
  await using workspace = await startTestWorkspace((req, res) => void req.pipe(res));
  await using front = await startTestGateway();
  const dead = online(await deadAddress());
  front.setRoute("acme", dead);
  await ask(front.port, { headers: browser });
  front.setRoute("acme", closed("starting"));
  const webhook = ask(front.port, { method: "POST", body: "event" });
  await vi.waitFor(() => expect(front.lookedUp.length).toBeGreaterThan(2), { timeout: 15_000 });
  front.setRoute("acme", online(workspace.address));
  front.gateway.invalidate("acme");
  expect(await webhook).toMatchObject({ status: 200, body: "event" });
});

test("a workspace that moved is reached at its new address, and a response from the old one completes", async () => {
  const arrived = deferred<() => void>();
  await using front = await startPair((_req, res) => {
    res.write("old ");
    arrived.resolve(() => res.end("end"));
  });
  await using moved = await startTestWorkspace((_req, res) => res.end("new"));
  const underWay = ask(front.port);
  const finish = await arrived.promise;
  front.setRoute("acme", online(moved.address, { workspaceId: online(front.workspace.address).workspaceId }));
  front.gateway.invalidate("acme");
  expect((await ask(front.port)).body).toBe("new");
  finish();
  expect((await underWay).body).toBe("old end");
});

test("a hundred concurrent requests for an uncached name cost one lookup", async () => {
  await using front = await startPair((_req, res) => res.end("ok"));
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(front.port)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(front.lookedUp).toEqual(["acme"]);
});

test("a closing gateway refuses waiting and new requests", async () => {
  const front = await startTestGateway();
  front.setRoute("acme", closed("starting"));
  const waiting = ask(front.port);
  await vi.waitFor(() => expect(front.lookedUp).not.toEqual([]), { timeout: 15_000 });
  await front.gateway.close();
  expect(JSON.parse((await waiting).body).code).toBe("gateway_unavailable");
  expect((await ask(front.port)).status).toBe(503);
  await front[Symbol.asyncDispose]();
});

test("the workspace gets the visitor's address as seen by trusted proxies", async () => {
  await using front = await startPair((req, res) => res.end(JSON.stringify(req.headers)), { trustedProxyHops: 1, publicScheme: "https" });
  const { body } = await ask(front.port, { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.9", "x-forwarded-proto": "http" } });
  expect(JSON.parse(body)).toMatchObject({
    "x-forwarded-for": "203.0.113.9",
    "x-real-ip": "203.0.113.9",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "443",
  });
});

test("an answer that breaks off counts against the workspace, and one that its visitor does not wait for does not", async () => {
  const outcomes: string[] = [];
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    res.write("half", () => {
      if (req.url === "/breaks-off") setTimeout(() => res.destroy(), 50);
      if (req.url === "/ends") res.end();
    });
  };
  await using front = await startPair(listener, { onAnswered: ({ outcome }) => void outcomes.push(outcome) });
  await ask(front.port, { path: "/ends" });
  await expect(ask(front.port, { path: "/breaks-off" })).rejects.toThrow();
  await vi.waitFor(() => expect(outcomes).toEqual(["2xx", "workspace_broke_off"]), 20_000);
  const visit = request({ port: front.port, host: "127.0.0.1", path: "/hangs", headers: { host: "acme.localhost" } }).end();
  const [answer] = (await once(visit, "response")) as [IncomingMessage];
  answer.on("error", () => undefined);
  visit.on("error", () => undefined).destroy();
  await vi.waitFor(() => expect(outcomes).toEqual(["2xx", "workspace_broke_off", "left"]), 20_000);
});
