/** What the running program does with settings of its operator that decide about calls: the challenge, leaked passwords, the switch. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { startRangeService, type RangeService } from "#testing/network/start-range-service.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

let cloudflare: Server;
let verified: URLSearchParams[] = [];
let ranges: RangeService;
let slipway: Slipway;

beforeAll(async () => {
  cloudflare = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const asked = new URLSearchParams(body);
      if (request.url === "/siteverify") verified.push(asked);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ success: asked.get("response")?.startsWith("good") }));
    });
  });
  await new Promise<void>((resolve) => cloudflare.listen(0, "127.0.0.1", resolve));
  ranges = await startRangeService();
  slipway = await startSlipway({
    env: {
      CHALLENGE: "turnstile",
      TURNSTILE_SITE_KEY: "site",
      TURNSTILE_SECRET_KEY: "secret",
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${(cloudflare.address() as AddressInfo).port}/siteverify`,
      BREACHED_PASSWORDS_URL: `${ranges.url}/`,
      INSTANCE_OPERATIONS: "off",
    },
  });
});
afterAll(async () => {
  await slipway?.close();
  cloudflare?.close();
  await ranges?.[Symbol.asyncDispose]();
});

const register = (changes: { challenge: string; password?: string }) =>
  slipway.call("POST", "/api/auth/register", { body: buildRegistration(changes) });

test("Turnstile's token opens a registration, and another is refused", async () => {
  verified = [];
  const refused = await register({ challenge: "bad-token" });
  expect([refused.status, refused.json()]).toMatchObject([422, { errors: [{ path: "challenge", code: "challenge.invalid" }] }]);
  expect((await register({ challenge: "good-token-1" })).status).toBe(201);
  expect(verified.map((asked) => [asked.get("secret"), asked.get("response")])).toEqual([
    ["secret", "bad-token"],
    ["secret", "good-token-1"],
  ]);
});

test("a leaked password is refused, and only five digits of its hash are sent", async () => {
  const leaked = "a password that leaked";
  ranges.leaked.add(leaked);
  const refused = await register({ challenge: "good-token-2", password: leaked });
  expect([refused.status, refused.json()]).toMatchObject([422, { errors: [{ path: "password", code: "password.breached" }] }]);
  expect(ranges.asked.at(-1)?.path).toMatch(/^\/range\/[0-9A-F]{5}$/);
});

test("while operations are off a call is refused", async () => {
  const { token } = (await register({ challenge: "good-token-3" })).json<{ token: string }>();
  expect((await slipway.call("PUT", "/api/instance/restart", { token })).json()).toMatchObject({
    status: 503,
    code: "instance_operations_off",
  });
});
