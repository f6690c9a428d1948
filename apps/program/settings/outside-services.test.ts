import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigInvalid } from "./environment.ts";
import { readConfig } from "./config.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "slipway-test-settings-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...env });
const problemsOf = (env: Record<string, string>) => {
  try {
    read(env);
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
};

test("default: a proof of work, no analytics, no error reports", () => {
  expect(read({})).toMatchObject({
    challenge: { kind: "altcha", maxNumber: 1000 },
    analytics: { postHog: null, tagManager: null },
    sentryDsn: undefined,
  });
});

test("Turnstile without its keys is refused, and both are named", () => {
  expect(problemsOf({ CHALLENGE: "turnstile" })).toEqual([
    "TURNSTILE_SITE_KEY: required by CHALLENGE=turnstile",
    "TURNSTILE_SECRET_KEY: required by CHALLENGE=turnstile",
  ]);
});

test("Turnstile with its keys asks Cloudflare", () => {
  const { challenge } = read({ CHALLENGE: "turnstile", TURNSTILE_SITE_KEY: "site", TURNSTILE_SECRET_KEY: "secret" });
  expect(challenge).toEqual({
    kind: "turnstile",
    siteKey: "site",
    secretKey: "secret",
    verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  });
});

test("passwords are checked against leaks only if an address is set, and its trailing slashes are removed", () => {
  expect(read({}).breachedPasswordsUrl).toBeNull();
  expect(read({ BREACHED_PASSWORDS_URL: "off" }).breachedPasswordsUrl).toBeNull();
  expect(read({ BREACHED_PASSWORDS_URL: "https://api.pwnedpasswords.com/range/" }).breachedPasswordsUrl).toBe(
    "https://api.pwnedpasswords.com/range",
  );
});

test.each([
  ["CHALLENGE", "recaptcha"],
  ["ALTCHA_MAX_NUMBER", "0"],
  ["BREACHED_PASSWORDS_URL", "on"],
  ["BREACHED_PASSWORDS_URL", "ftp://api.pwnedpasswords.com/range"],
  ["BREACHED_PASSWORDS_URL", "https://name:secret@copy.example/range"],
  ["BREACHED_PASSWORDS_URL", "https://copy.example/range?key=1"],
  ["GTM_ID", "G-123"],
  ["POSTHOG_KEY", "a key"],
  ["POSTHOG_HOST", "posthog"],
  ["SENTRY_DSN", "https://errors.example.com/1"],
  ["SENTRY_DSN", "https://key@errors.example.com/project"],
])("%s=%s is refused", (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name}: `)]);
});

test("analytics and error reports are on if their keys are set", () => {
  const config = read({
    POSTHOG_KEY: "phc_abc",
    POSTHOG_HOST: "https://eu.i.posthog.com/",
    GTM_ID: "GTM-ABC123",
    SENTRY_DSN: "https://key@errors.example.com/7",
  });
  expect(config.analytics).toEqual({ postHog: { key: "phc_abc", host: "https://eu.i.posthog.com" }, tagManager: { id: "GTM-ABC123" } });
  expect(config.sentryDsn).toBe("https://key@errors.example.com/7");
});

test("the environment is staging while the payment sandbox is on, and an operator may set another", () => {
  expect(read({}).sentryEnvironment).toBe("staging");
  expect(read({ PAYMENTS: "sandbox" }).sentryEnvironment).toBe("staging");
  expect(
    read({ PAYMENTS: "stripe", STRIPE_SECRET_KEY: "sk_test_0123456789", STRIPE_WEBHOOK_SECRET: "whsec_0123456789" }).sentryEnvironment,
  ).toBe("development");
  expect(read({ SENTRY_ENVIRONMENT: "preview" }).sentryEnvironment).toBe("preview");
  expect(problemsOf({ SENTRY_ENVIRONMENT: "my laptop" })).toEqual([expect.stringMatching("^SENTRY_ENVIRONMENT: ")]);
});
