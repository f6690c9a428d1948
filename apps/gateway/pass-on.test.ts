/** Gateways of two hosts: a request for the other's workspace is passed on once, and only between them. */
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { ask, online, startTestGateway, startTestWorkspace } from "#testing/network/start-test-gateway.ts";

const passToken = "the-pass-token";
const elsewhere = (port: number, heard: "heard" | "silent" = "heard"): GatewayRoute =>
  online(`127.0.0.1:${port}`, { workspaceId: "w", elsewhere: heard });

/** Both hosts, and a workspace of the second one that reports what arrived. */
async function startHosts(maxWaitMs = 300) {
  const visits: string[] = [];
  const workspace = await startTestWorkspace((req, res) => res.end(JSON.stringify(req.headers)));
  const limits = { maxWaitMs };
  const first = await startTestGateway({ passToken, limits, visits: { note: () => visits.push("first") } });
  const second = await startTestGateway({ passToken, limits, visits: { note: () => visits.push("second") } });
  first.setRoute("acme", elsewhere(second.port));
  second.setRoute("acme", online(workspace.address));
  return {
    first,
    second,
    visits,
    async [Symbol.asyncDispose]() {
      for (const each of [first, second, workspace]) await each[Symbol.asyncDispose]();
    },
  };
}

test("a visitor of the wrong gateway reaches the workspace, which sees the visitor and no token; its own host counts the visit", async () => {
  await using hosts = await startHosts();
  const answer = await ask(hosts.first.port, { headers: { "x-forwarded-for": "203.0.113.9", "x-slipway-passed": "a guess" } });
  expect(answer.status).toBe(200);
  expect(answer.body).not.toContain("x-slipway");
  expect(JSON.parse(answer.body)).toMatchObject({ host: "acme.localhost", "x-forwarded-for": "127.0.0.1" });
  expect(hosts.visits).toEqual(["second"]);
});

test("the second gateway's answer about its workspace arrives unchanged", async () => {
  await using hosts = await startHosts();
  hosts.second.setRoute("acme", { workspaceId: "w", state: "offline", address: null, open: false });
  const answer = await ask(hosts.first.port);
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "workspace_offline" });
});

test("only a gateway with the service's key names the visitor", async () => {
  await using hosts = await startHosts();
  const named = async (token: string) =>
    JSON.parse((await ask(hosts.second.port, { headers: { "x-forwarded-for": "203.0.113.9", "x-slipway-passed": token } })).body)[
      "x-forwarded-for"
    ];
  expect(await named(passToken)).toBe("203.0.113.9");
  for (const guess of ["", "wrong", `${passToken}x`]) expect(await named(guess)).toBe("127.0.0.1");
  await using bare = await startTestGateway();
  await using workspace = await startTestWorkspace((req, res) => res.end(JSON.stringify(req.headers)));
  bare.setRoute("acme", online(workspace.address));
  expect(JSON.parse((await ask(bare.port, { headers: { "x-slipway-passed": "" } })).body)).toMatchObject({
    "x-forwarded-for": "127.0.0.1",
  });
});

test("two gateways that each think the other has it refuse instead of passing the request back and forth", async () => {
  await using hosts = await startHosts();
  hosts.second.setRoute("acme", elsewhere(hosts.first.port));
  const answer = await ask(hosts.first.port);
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "gateway_unavailable" });
  expect(hosts.first.arrived()).toBe(1);
  expect(hosts.second.arrived()).toBe(1);
  // It looked once more before it refused.
  expect(hosts.second.lookedUp).toEqual(["acme", "acme"]);
});

test("a passed request that comes right after a move finds the workspace as soon as the database says so", async () => {
  await using hosts = await startHosts();
  await using workspace = await startTestWorkspace((_req, res) => res.end("moved"));
  hosts.second.setRoute("acme", elsewhere(hosts.first.port));
  await ask(hosts.second.port, { headers: { "x-slipway-passed": passToken } });
  hosts.second.setRoute("acme", online(workspace.address));
  expect((await ask(hosts.first.port)).body).toBe("moved");
});

test("visitors wait for a host whose gateway restarts, and not for one that has gone silent", async () => {
  await using gone = await startTestWorkspace(() => undefined);
  const { port } = new URL(`http://${gone.address}`);
  await gone[Symbol.asyncDispose]();
  // The answer itself shows that it waited for nothing.
  await using patient = await startHosts(24 * 60 * 60_000);
  patient.first.setRoute("acme", elsewhere(Number(port), "silent"));
  const answer = await ask(patient.first.port);
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "workspace_offline" });
  await using hosts = await startHosts(300);
  hosts.first.setRoute("acme", elsewhere(Number(port)));
  const again = performance.now();
  expect((await ask(hosts.first.port)).status).toBe(503);
  expect(performance.now() - again).toBeGreaterThan(250);
});

test("a WebSocket is joined through both gateways", async () => {
  await using hosts = await startHosts();
  await using workspace = await startTestWorkspace(() => undefined);
  workspace.server.on("upgrade", (req, socket) => {
    expect(req.headers["x-slipway-passed"]).toBeUndefined();
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\nhello");
    socket.pipe(socket);
  });
  hosts.second.setRoute("acme", online(workspace.address));
  const socket = connect({ host: "127.0.0.1", port: hosts.first.port });
  socket.setEncoding("utf8");
  let heard = "";
  socket.on("data", (text: string) => (heard += text));
  socket.write(
    "GET /push HTTP/1.1\r\nhost: acme.localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: c2xpcHdheQ==\r\n\r\n",
  );
  await expect.poll(() => heard).toContain("hello");
  socket.write("echo");
  await expect.poll(() => heard).toContain("echo");
  socket.destroy();
});
