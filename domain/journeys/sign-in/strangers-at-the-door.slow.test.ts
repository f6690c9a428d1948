/** Strangers who fill the queues and use up the calls of an address: they make only strangers wait (decision 0198). */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { fillQueue, times } from "#testing/accounts/fill-queue.ts";
import { openBrowser, ownerWithBrowser } from "#testing/accounts/open-browser.ts";
import { createTestApi, forgetCalls, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { buildApi } from "#apps/api/build-api.ts";
import { mostFalseClaims } from "#apps/api/proven-callers.ts";

let api: TestApi;
beforeEach(async () => void (api = await createTestApi()));
afterEach(() => api[Symbol.asyncDispose]());

const office = "192.0.2.70";

describe("strangers who fill a queue", () => {
  /** Each from its own address, and every second one with a cookie. */
  const withFullQueue = (path: string, body: (index: number) => object, cookie: string, during: () => Promise<void>) =>
    fillQueue(
      api,
      "lock table attempts in exclusive mode",
      (index) => openBrowser(api, index % 2 ? cookie : "").post(path, body(index)),
      during,
    );

  test("of passwords do not make a known browser wait or be refused", async () => {
    const { form, browser } = await ownerWithBrowser(api);
    await withFullQueue(
      "/api/auth/login",
      () => ({ login: "nobody", password: "a guess" }),
      "",
      async () => expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200),
    );
  }, 60_000);

  test("with cookies that the owner's browser had before, or that are forged, are strangers as well", async () => {
    const { form, browser } = await ownerWithBrowser(api);
    const old = browser.cookie();
    await browser.logIn(form.email, form.password);
    await withFullQueue(
      "/api/auth/login",
      (index) => ({ login: form.email, password: `a guess ${index}` }),
      old,
      async () => expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200),
    );
    await withFullQueue(
      "/api/auth/login",
      (index) => ({ login: form.email, password: `a guess ${index}` }),
      `${browser.cookie().slice(0, -1)}A`,
      async () => expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200),
    );
  }, 60_000);

  test("take one place among the known, whatever number of accounts they have in one browser", async () => {
    const { browser } = await ownerWithBrowser(api);
    const accounts = [await registerConfirmed(api), await registerConfirmed(api), await registerConfirmed(api)];
    for (const { form } of accounts) await browser.logIn(form.email, form.password);
    const cookie = browser.cookie();
    const waiting = async () =>
      (
        await api.database.pool.query<{ queries: number }>(
          "select count(*)::int as queries from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rows[0]!.queries;
    await withFullQueue(
      "/api/auth/login",
      () => ({ login: "nobody", password: "a guess" }),
      "",
      async () => {
        const before = await waiting();
        const calls = accounts.map(({ form }) => openBrowser(api, cookie).logIn(form.email, "a guess"));
        await expect.poll(waiting).toBe(before + 1);
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(await waiting()).toBe(before + 1);
        await Promise.all(calls);
      },
    );
  }, 60_000);

  test("with the cookies of their own accounts, for this user, are strangers as well", async () => {
    const { form, browser } = await ownerWithBrowser(api);
    const stranger = await ownerWithBrowser(api);
    await withFullQueue(
      "/api/auth/login",
      () => ({ login: form.email, password: "a guess" }),
      stranger.browser.cookie(),
      async () => expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200),
    );
  }, 60_000);

  test.each(["/api/user/magic-link", "/api/auth/forgot-password"])(
    "of %s do not make a known browser wait or be refused",
    async (path) => {
      const { form, browser } = await ownerWithBrowser(api);
      await withFullQueue(
        path,
        (index) => ({ email: `nobody-${index}@example.com` }),
        "",
        async () => expect((await browser.post(path, { email: form.email })).statusCode).toBe(204),
      );
    },
    60_000,
  );

  test("of codes do not make a known browser wait or be refused, and one account has one place among the known", async () => {
    const { form, browser } = await ownerWithBrowser(api);
    const stranger = await ownerWithBrowser(api);
    api.clock.advance(1);
    await browser.post("/api/user/magic-link", { email: form.email });
    const code = new URL(await api.newestLink(form.email)).searchParams.get("code");
    await withFullQueue(
      "/api/auth/login/code",
      (index) => ({ code: `a guess ${index}` }),
      stranger.browser.cookie(),
      async () => expect((await browser.post("/api/auth/login/code", { code })).statusCode).toBe(200),
    );
  }, 60_000);
});

describe("strangers at the same address", () => {
  async function flood(count: number, method: "POST" | "GET", path: string, body?: object, headers: Record<string, string> = {}) {
    const statuses: number[] = [];
    for (const _ of times(count))
      statuses.push((await api.call(method, path, { address: office, headers, ...(body ? { body } : {}) })).statusCode);
    expect(statuses.at(-1)).toBe(429);
  }

  test("do not use up the sign-ins of a known browser, which has its own limit", async () => {
    const { form, browser } = await ownerWithBrowser(api, office);
    await flood(61, "POST", "/api/auth/login", { login: "", password: "" });
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200);
    for (const _ of times(60)) await browser.logIn("", "");
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(429);
  });

  test.each([
    ["/api/instance/delete", 21],
    ["/api/auth/confirm-password", 31],
  ])("do not use up a signed-in owner's calls of %s, in a browser or a program", async (path, count) => {
    const { token, browser } = await ownerWithBrowser(api, office);
    await api.call("GET", "/api/auth/me", { token, address: office });
    await flood(count, "POST", path, {});
    expect((await browser.post(path, {}, token)).statusCode).not.toBe(429);
    expect((await api.call("POST", path, { token, address: office, body: {} })).statusCode).not.toBe(429);
    // Still limited, by session.
    const statuses: number[] = [];
    for (const _ of times(count)) statuses.push((await api.call("POST", path, { token, body: {} })).statusCode);
    expect(statuses.at(-1)).toBe(429);
  });

  test("do not use up an owner's calls in a process that has not seen their session", async () => {
    const { token, browser } = await ownerWithBrowser(api, office);
    await flood(21, "POST", "/api/instance/delete", {});
    expect((await browser.post("/api/instance/delete", {}, token)).statusCode).not.toBe(429);
  });

  test("do not use up the general limit of a known browser, nor of its session", async () => {
    await using limited = await createTestApi({ callsPerMinute: 40 });
    const { form, token, browser } = await ownerWithBrowser(limited, office);
    const cookie = `token=${token}; slipway-browser=${browser.cookie()}`;
    for (const _ of times(41)) await limited.call("GET", "/api/auth/me", { address: office });
    expect((await limited.call("GET", "/api/auth/me", { address: office })).statusCode).toBe(429);
    expect((await limited.call("GET", "/api/auth/me", { address: office, headers: { cookie } })).statusCode).toBe(200);
    expect((await limited.call("GET", "/api/auth/me", { address: office, token })).statusCode).toBe(200);
    expect(form.email).toBeTruthy();
  });

  test("are counted by address with sessions and browsers that they made up", async () => {
    await flood(21, "POST", "/api/instance/delete", {}, { cookie: "token=made-up; slipway-browser=made.up" });
    const { browser } = await ownerWithBrowser(api, office);
    await forgetCalls(api);
    const old = browser.cookie();
    await flood(22, "POST", "/api/instance/delete", {}, { cookie: `token=made-up; slipway-browser=${old}x` });
  });

  test("gain no calls by the cookies that a browser had before, and no registrations by any", async () => {
    const { form } = await ownerWithBrowser(api, office);
    const old: string[] = [];
    const browser = openBrowser(api);
    for (const _ of times(mostFalseClaims + 10)) {
      await browser.logIn(form.email, form.password);
      old.push(browser.cookie());
    }
    await browser.logIn(form.email, form.password);
    await flood(61, "POST", "/api/auth/login", { login: "", password: "" });
    const from = (cookie: string) => openBrowser(api, cookie, office);
    // Here they were seen while they were known: they share the count of the browser, which has used forty of its sixty.
    const seen: number[] = [];
    for (const cookie of old) seen.push((await from(cookie).logIn("", "")).statusCode);
    expect(seen.filter((status) => status !== 429).length).toBeLessThanOrEqual(20);
    // In another process they are unknown, and the address has used up the count of all.
    const second = await buildApi(api.services);
    onTestFinished(() => second.close());
    for (const cookie of old) {
      const headers = { origin: api.services.publicUrl, cookie: `slipway-browser=${cookie}` };
      const payload = { login: "", password: "" };
      expect((await second.inject({ method: "POST", url: "/api/auth/login", remoteAddress: office, headers, payload })).statusCode).toBe(
        429,
      );
    }
    await flood(21, "POST", "/api/auth/register", {});
    expect((await from(browser.cookie()).post("/api/auth/register", {})).statusCode).toBe(429);
  });
});
