/** WebSocket handshakes to a workspace that sleeps: what as a plain request would wake it does, and nothing else. */
import { expect, test } from "vitest";
import { exchange, startTestGateway } from "#testing/network/start-test-gateway.ts";
import type { UnownedCall } from "./create-gateway.ts";

const handshake = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: acme.localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
  "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

async function startAsleep() {
  const used: string[] = [];
  const front = await startTestGateway({
    limits: { maxWaitMs: 200 },
    sleep: {
      monitored: /^\/health$/,
      absent: /^\/\.env$/,
      refuseCall: (_name, _method, url) => (url.startsWith("/webhook/") ? lookUp(url) : null),
      record: async (ids) => {
        used.push(...ids);
        return [...ids];
      },
    },
  });
  front.setRoute("acme", { workspaceId: "w", state: "asleep", address: "127.0.0.1:1", open: true });
  return { ...front, used };
}

async function lookUp(url: string): Promise<UnownedCall | null> {
  if (url === "/webhook/broken") throw new Error("no database");
  return url === "/webhook/owned" ? null : { json: "{}" };
}

test.each(["/health", "/.env", "/webhook/none"])("a handshake to %s is answered 404 and wakes no workspace", async (path) => {
  await using front = await startAsleep();
  expect(await exchange(front.port, handshake(path))).toMatch(/^HTTP\/1\.1 404 /);
  expect(front.used).toEqual([]);
});

test.each(["/rest/push", "/webhook/owned", "/webhook/broken"])("a handshake to %s wakes its workspace", async (path) => {
  await using front = await startAsleep();
  expect(await exchange(front.port, handshake(path))).toMatch(/^HTTP\/1\.1 503 /);
  expect(front.used).toContain("w");
});
