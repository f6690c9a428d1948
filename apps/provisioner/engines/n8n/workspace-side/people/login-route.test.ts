import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { publicKeyOf, signToken } from "../../../sign-token.ts";
import type { Response } from "../../../workspace-side/handler.mts";
import { createTokenCheck } from "../../../workspace-side/token-check.mts";
import { tokenLifetimeMs } from "../../../workspace-side/token-claims.mts";
import type { HookContext, Internals } from "../internals.mts";
import { createLoginHandler } from "./login-route.mts";

const startedAtMs = Date.UTC(2030, 0, 1);
const { privateKey } = generateKeyPairSync("ed25519");

/** Status and body of the answer, `nowMs` after the workspace's start, to a link that was made `madeMs` after it. */
async function open(madeMs: number, nowMs: number, landingPath: string): Promise<{ status: number; body: string }> {
  const nowAtMs = startedAtMs + nowMs;
  const publicKey = publicKeyOf(privateKey);
  const check = createTokenCheck({ workspaceId: "mine", publicKey, startedAtMs, ranMs: () => nowMs, now: () => nowAtMs });
  const token = signToken(
    privateKey,
    { now: () => new Date(startedAtMs + madeMs) },
    { audience: "login", workspaceId: "mine", landingPath },
  );
  const handler = createLoginHandler({
    context: {} as HookContext,
    internals: {} as Internals,
    panelUrl: "https://panel.test",
    accountName: () => "acme",
    startedAtMs,
    check: (given) => check(given, "login"),
  });
  const said = { status: 0, body: "" };
  const response = {
    status: (code: number) => ((said.status = code), response),
    set: () => response,
    type: () => response,
    send: (body: string) => ((said.body = body), response),
  } as unknown as Response;
  await handler({ method: "GET", path: "/_slipway/login", headers: {}, query: { token } }, response, () => undefined);
  return said;
}

const refresh = /<meta http-equiv="refresh" content="0;url=([^"]+)">/;

test("a link that is older than the workspace's start continues in the panel, at the page that it names", async () => {
  const soon = await open(-4_000, 6_000, "/home/workflows?a=1");
  expect(soon.status).toBe(401);
  expect(refresh.exec(soon.body)?.[1]).toBe("https://panel.test/open?workspace=acme&amp;path=%2Fhome%2Fworkflows%3Fa%3D1");
  // A start that had to queue takes longer than a link lives.
  const late = await open(-tokenLifetimeMs, tokenLifetimeMs, "//evil.example");
  expect(refresh.exec(late.body)?.[1]).toBe("https://panel.test/open?workspace=acme&amp;path=%2F");
});

test("an expired link is only explained, so that a wrong clock causes no redirect loop", async () => {
  const old = await open(1_000, tokenLifetimeMs + 2_000, "/");
  expect(old).toMatchObject({ status: 401, body: expect.stringContaining("has expired") });
  expect(old.body).not.toMatch(refresh);
});
