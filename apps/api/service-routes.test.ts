import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const flag = "026_easy_ai_workflow";
const flagsOf = async (query: string, token?: string) =>
  ((await api.call("GET", `/api/fe/config${query}`, token ? { token } : {})).json() as { featureFlags: Record<string, string> })
    .featureFlags;

test("an account has one variant, on every device and after signing in again", async () => {
  const { token, form } = await registerSomebody(api);
  const first = await flagsOf("?anonymousId=device-1", token);
  expect(["control", "variant"]).toContain(first[flag]);
  const again = (await api.call("POST", "/api/auth/login", { body: { login: form["email"], password: form["password"] } })).json() as {
    token: string;
  };
  for (const device of ["device-2", "device-3", "device-4", "device-5"])
    expect(await flagsOf(`?anonymousId=${device}`, again.token)).toEqual(first);
});

test("a visitor has one variant per browser, and none without an id", async () => {
  expect(await flagsOf("?anonymousId=browser-1")).toEqual(await flagsOf("?anonymousId=browser-1"));
  const seen = await Promise.all(Array.from({ length: 40 }, (_, browser) => flagsOf(`?anonymousId=browser-${browser}`)));
  expect(new Set(seen.map((flags) => flags[flag]))).toEqual(new Set(["control", "variant"]));
  expect(await flagsOf("")).toEqual({});
});

test("an ended session still gets the settings", async () => {
  expect(await flagsOf("?anonymousId=browser-1", "no-such-token")).toEqual(await flagsOf("?anonymousId=browser-1"));
});

test.each(["short", "a b c d e f g", "<script>alert(1)</script>", "x".repeat(65)])("%j is not a valid anonymous id", async (id) => {
  expect((await api.call("GET", `/api/fe/config?anonymousId=${encodeURIComponent(id)}`)).statusCode).toBe(422);
});

test("flags that cannot be evaluated are empty, and the other settings are complete", async () => {
  await using broken = await createTestApi({ evaluateFlags: () => Promise.reject(new Error("away")) });
  const answer = await broken.call("GET", "/api/fe/config?anonymousId=browser-1");
  expect(answer.json()).toMatchObject({ featureFlags: {}, engine: "n8n" });
});

const policyOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers["content-security-policy"]);

test("by default the panel uses no third-party service", async () => {
  const answer = await api.call("GET", "/api/fe/config");
  expect(answer.json()).toMatchObject({ analytics: { postHog: null, tagManager: null }, errorReports: null });
  expect(policyOf(answer)).not.toMatch(/https?:\/\//);
});

test("the policy allows only the configured services", async () => {
  const outside = {
    challenge: "turnstile" as const,
    analytics: { postHog: { key: "phc_x", host: "https://eu.i.posthog.com" }, tagManager: { id: "GTM-ABC123" } },
    sentryDsn: "https://key@errors.example.com/7",
    sentryEnvironment: "staging",
  };
  await using open = await createTestApi({ outside });
  const answer = await open.call("GET", "/api/fe/config");
  expect(answer.json()).toMatchObject({ analytics: outside.analytics, errorReports: { dsn: outside.sentryDsn, environment: "staging" } });
  const policy = policyOf(answer);
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com https://www.googletagmanager.com;");
  expect(policy).toContain(
    "connect-src 'self' https://eu.i.posthog.com https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com https://errors.example.com;",
  );
  expect(policy).toContain("frame-src 'self' https://challenges.cloudflare.com;");
  expect(policy).not.toContain("unsafe-");
});
