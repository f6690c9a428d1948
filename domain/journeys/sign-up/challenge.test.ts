import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChallengeOffer } from "#contract/accounts/challenge.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { altcha } from "#domain/challenges/altcha-challenge.ts";
import { turnstile } from "#domain/challenges/turnstile-challenge.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { createSecrets } from "#platform/secrets.ts";
import { solveChallenge } from "#testing/accounts/solve-challenge.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";
import { createTestClock } from "#testing/test-clock.ts";

const secrets = createSecrets("a key for tests, long enough to be one");
const clock = createTestClock();

let api: TestApi;
afterEach(() => api[Symbol.asyncDispose]());

const register = (challenge: unknown) => api.call("POST", "/api/auth/register", { body: buildRegistration({ challenge }) });
const refusal = (code: FieldCode) => ({ code: "validation_failed", errors: [{ path: "challenge", code, message: fieldMessage(code) }] });

describe("ALTCHA", () => {
  beforeEach(async () => void (api = await createTestApi({ clock, challenge: altcha({ secrets, clock, maxNumber: 10 }) })));
  const offer = async () => (await api.call("GET", "/api/auth/challenge")).json() as ChallengeOffer & { kind: "altcha" };
  const solved = async () => solveChallenge(await offer());
  const changed = async (
    change: (answer: { challenge: { parameters: Record<string, unknown>; signature: string }; solution: Record<string, unknown> }) => void,
  ) => {
    const answer = JSON.parse(Buffer.from(await solved(), "base64").toString());
    change(answer);
    return Buffer.from(JSON.stringify(answer)).toString("base64");
  };

  test("a solved challenge allows one registration, and no second", async () => {
    const answer = await solved();
    expect((await register(answer)).statusCode).toBe(201);
    expect((await register(answer)).json()).toMatchObject({ status: 422, ...refusal("challenge.invalid") });
  });

  test("of two simultaneous registrations with one answer, one wins", async () => {
    const answer = await solved();
    const codes = (await Promise.all([register(answer), register(answer)])).map(({ statusCode }) => statusCode);
    expect(codes.toSorted((one, other) => one - other)).toEqual([201, 422]);
  });

  test.each([undefined, ""])("an unchecked checkbox (%j) is reported in the documented words", async (challenge) => {
    expect((await register(challenge)).json()).toMatchObject(refusal("challenge.required"));
    expect(fieldMessage("challenge.required")).toBe("Please check the checkbox.");
  });

  test("an answer is valid for ten minutes", async () => {
    const [early, late] = [await solved(), await solved()];
    clock.advance(10 * minuteMs - secondMs);
    expect((await register(early)).statusCode).toBe(201);
    clock.advance(secondMs);
    expect((await register(late)).json()).toMatchObject(refusal("challenge.expired"));
  });

  test.each(["off", "e30=", "not base64 at all", Buffer.from("[]").toString("base64"), "x".repeat(4096)])(
    "%s is no answer",
    async (answer) => {
      expect((await register(answer)).json()).toMatchObject(refusal("challenge.invalid"));
    },
  );

  test("an answer longer than any valid one is refused unread", async () => {
    expect((await register("x".repeat(4097))).json()).toMatchObject(refusal("challenge.invalid"));
  });

  test.each<[string, Parameters<typeof changed>[0]]>([
    ["another number", ({ solution }) => (solution["derivedKey"] = "00".repeat(32))],
    ["a later end", ({ challenge }) => (challenge.parameters["data"] = { until: Date.now() + 1e10 })],
    ["less work", ({ challenge }) => (challenge.parameters["cost"] = 1)],
    ["another signature", ({ challenge }) => (challenge.signature = "00".repeat(32))],
    ["no key signature", ({ challenge }) => delete challenge.parameters["keySignature"]],
  ])("a challenge changed to %s is refused", async (_what, change) => {
    expect((await register(await changed(change))).json()).toMatchObject(refusal("challenge.invalid"));
  });

  test("a challenge that another service signed is refused", async () => {
    const foreign = altcha({ secrets: createSecrets("another key, also long enough to be one"), clock, maxNumber: 10 });
    expect((await register(await solveChallenge(await foreign.offer()))).json()).toMatchObject(refusal("challenge.invalid"));
  });

  test("used challenges are forgotten once they would have expired anyway", async () => {
    await register(await solved());
    clock.advance(11 * minuteMs);
    await register(await solved());
    const { rows } = await api.database.pool.query("select hash from used_challenges");
    expect(rows).toHaveLength(1);
    expect(rows[0].hash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("Turnstile", () => {
  let cloudflare: Server;
  let asked: URLSearchParams[] = [];
  let says: object | null = null;
  beforeEach(async () => {
    asked = [];
    cloudflare = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        asked.push(new URLSearchParams(body));
        if (says) response.end(JSON.stringify(says));
        else response.writeHead(500).end("<h1>error</h1>");
      });
    });
    await new Promise<void>((resolve) => cloudflare.listen(0, "127.0.0.1", resolve));
    const verifyUrl = `http://127.0.0.1:${(cloudflare.address() as AddressInfo).port}/siteverify`;
    api = await createTestApi({ clock, challenge: turnstile({ siteKey: "site", secretKey: "secret", verifyUrl }, clock) });
  });
  afterEach(() => void cloudflare.close());

  test("a token that Cloudflare accepts allows one registration", async () => {
    says = { success: true };
    expect((await api.call("GET", "/api/auth/challenge")).json()).toEqual({ kind: "turnstile", siteKey: "site" });
    expect((await register("a-token")).statusCode).toBe(201);
    expect(Object.fromEntries(asked[0]!)).toMatchObject({
      secret: "secret",
      response: "a-token",
      remoteip: expect.stringMatching(/^10\./),
    });
    expect((await register("a-token")).json()).toMatchObject(refusal("challenge.invalid"));
  });

  test.each<[object, FieldCode]>([
    [{ success: false, "error-codes": ["invalid-input-response"] }, "challenge.invalid"],
    [{ success: false, "error-codes": ["timeout-or-duplicate"] }, "challenge.expired"],
  ])("%j is reported as %s", async (answer, code) => {
    says = answer;
    expect((await register("a-token")).json()).toMatchObject(refusal(code));
  });

  test.each([null, { success: false, "error-codes": ["invalid-input-secret"] }, { unheard: "of" }])(
    "while Cloudflare says %j no visitor passes, and the message does not blame them",
    async (answer) => {
      says = answer;
      expect((await register("a-token")).json()).toMatchObject({ status: 503, code: "unavailable" });
    },
  );
});
