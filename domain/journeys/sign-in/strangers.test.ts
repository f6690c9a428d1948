/** Strangers who guess passwords and codes: they lock themselves out, and never the account's owner (decision 0175). */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashToken } from "#domain/accounts/token.ts";
import { knownBrowserMs } from "#domain/accounts/sessions/known-browser-store.ts";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { dayMs, secondMs } from "#platform/clock.ts";
import { createSecrets } from "#platform/secrets.ts";
import { mintOperatorCode } from "../login-code/mint-operator-code.ts";
import { browserCookieOf, openBrowser, ownerWithBrowser } from "#testing/accounts/open-browser.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
type Answer = Awaited<ReturnType<TestApi["call"]>>;
const open = (kept?: string, address?: string) => openBrowser(api, kept, address);
const owner = (address?: string) => ownerWithBrowser(api, address);

/** Five wrong passwords, from anywhere. */
async function lockLogin(login: unknown) {
  for (const _ of times(5)) await open().logIn(login, "a stranger's guess");
  expect((await open().logIn(login, "a stranger's guess")).statusCode).toBe(429);
}
async function lockAddress(address: string) {
  for (const index of times(25)) await open("", address).logIn(`nobody-${index}`, "a stranger's guess");
  expect((await open("", address).logIn("nobody-again", "a stranger's guess")).statusCode).toBe(429);
}
/** The link that is requested now: its secret. */
async function askLink(path: "/api/user/magic-link" | "/api/auth/forgot-password", email: unknown) {
  // The newest mail must be the newest.
  api.clock.advance(1);
  await open().post(path, { email });
  return Object.values(Object.fromEntries(new URL(await api.newestLink(email)).searchParams))[0];
}

describe("strangers who guess the password of an account", () => {
  test.each(["accountName", "email"])("by its %s do not lock out a browser in which its owner has signed in", async (login) => {
    const { form, browser } = await owner();
    await lockLogin(form[login]);
    expect((await browser.logIn(form[login], form.password)).statusCode).toBe(200);
    expect((await browser.logIn(form[login], form.password)).statusCode).toBe(200);
  });

  test("from its owner's address do not lock out that browser", async () => {
    const address = "192.0.2.60";
    const { form, browser } = await owner(address);
    await lockAddress(address);
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200);
  });

  test("gain nothing when its owner signs in: they stay locked", async () => {
    const { form, browser } = await owner();
    await lockLogin(form.email);
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200);
    expect((await open().logIn(form.email, form.password)).statusCode).toBe(429);
  });

  test("do not lock out its owner in a new browser, who signs in with a mailed link, from the same address too", async () => {
    const address = "192.0.2.61";
    const { form } = await owner();
    await lockLogin(form.email);
    await lockLogin(form.accountName);
    await lockAddress(address);
    const code = await askLink("/api/user/magic-link", form.email);
    const browser = open("", address);
    expect((await browser.post("/api/auth/login/code/holder", { code })).json()).toEqual({ accountName: form.accountName });
    expect((await browser.post("/api/auth/login/code", { code })).statusCode).toBe(200);
    // Codes that are guessed there are still refused.
    expect((await browser.post("/api/auth/login/code", { code })).statusCode).toBe(429);
    expect((await browser.post("/api/auth/login/code/holder", { code: "a guess" })).statusCode).toBe(429);
    // From here on, the browser is known.
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200);
  });

  test("do not lock out its owner who has just chosen a new password in a new browser", async () => {
    const { form } = await owner();
    const token = await askLink("/api/auth/forgot-password", form.email);
    const browser = open();
    expect((await browser.post("/api/auth/reset-password", { token, password: "a brand new password" })).statusCode).toBe(204);
    await lockLogin(form.email);
    expect((await browser.logIn(form.email, "a brand new password")).statusCode).toBe(200);
  });

  test("are limited as before: a hundred guesses at once are five, whatever cookies they invent", async () => {
    const { form } = await owner();
    const stranger = await owner();
    const answers = await Promise.all(
      times(100).map((index) => open(index % 2 ? stranger.browser.cookie() : `invented-${index}.x`).logIn(form.email, `guess ${index}`)),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array<number>(5).fill(401), ...Array<number>(95).fill(429)]);
  });
});

describe("a known browser", () => {
  test("has five attempts of its own, and fifty at once are five", async () => {
    const { form, browser } = await owner();
    const cookie = browser.cookie();
    // Fewer than its calls in a minute.
    const answers = await Promise.all(times(50).map((index) => open(cookie).logIn(form.email, `guess ${index}`)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array<number>(5).fill(401), ...Array<number>(45).fill(429)]);
    expect((await open(cookie).logIn(form.email, form.password)).json()).toMatchObject({ code: "too_many_sign_ins" });
    // Whoever has copied its cookie makes only that browser wait.
    expect((await open().logIn(form.email, form.password)).statusCode).toBe(200);
    api.clock.advance(30 * secondMs);
    expect((await open(cookie).logIn(form.email, form.password)).statusCode).toBe(200);
  });

  test("is one that signed in to this account: another account's cookie, a forged and a changed one are a stranger's", async () => {
    const { form, browser } = await owner();
    const other = await owner();
    const [token, signed] = browser.cookie().split(".") as [string, string];
    const foreignKey = createSecrets("another service's key, long enough to be one").derive("sign:known-browser");
    await lockLogin(form.email);
    for (const cookie of [
      other.browser.cookie(),
      token,
      `${token}.`,
      `${token}.${createHmac("sha256", foreignKey).update(token).digest("base64url")}`,
      `${token.slice(0, -1)}x.${signed}`,
      `${hashToken(token)}.${signed}`,
      `${token}.${signed}.${signed}`,
      "x".repeat(4000),
    ])
      expect((await open(cookie).logIn(form.email, form.password)).statusCode, cookie).toBe(429);
    // Planted by a workspace's page beside the real one.
    const twice = { headers: { cookie: `slipway-browser=${browser.cookie()}; slipway-browser=${other.browser.cookie()}` } };
    const answer = await api.call("POST", "/api/auth/login", { body: { login: form.email, password: form.password }, ...twice });
    expect(answer.statusCode).toBe(429);
    expect((await open(browser.cookie()).logIn(form.email, form.password)).statusCode).toBe(200);
  });

  test("gets a new cookie with each sign-in, which the old one does not survive", async () => {
    const { form, browser } = await owner();
    const old = browser.cookie();
    await browser.logIn(form.email, form.password);
    expect(browser.cookie()).not.toBe(old);
    await lockLogin(form.email);
    expect((await open(old).logIn(form.email, form.password)).statusCode).toBe(429);
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(200);
  });

  test("may be known to several accounts, each by its own sign-in", async () => {
    const [mine, work] = [await owner(), await owner()];
    await mine.browser.logIn(work.form.email, work.form.password);
    await lockLogin(mine.form.email);
    await lockLogin(work.form.email);
    expect((await mine.browser.logIn(work.form.email, work.form.password)).statusCode).toBe(200);
    expect((await mine.browser.logIn(mine.form.email, mine.form.password)).statusCode).toBe(200);
  });

  test("is forgotten half a year after its last sign-in, and its row deleted", async () => {
    const { form, browser } = await owner();
    api.clock.advance(knownBrowserMs);
    await lockLogin(form.email);
    expect((await open(browser.cookie()).logIn(form.email, form.password)).statusCode).toBe(429);
    api.clock.advance(secondMs);
    await deleteOldRows(api.services.db, api.clock.now());
    const { rows } = await api.database.pool.query("select 1 from known_browsers where token_hash = $1", [
      hashToken(browser.cookie().split(".")[0]!),
    ]);
    expect(rows).toEqual([]);
  });

  test("is a stranger's after a time that a clock ahead has written", async () => {
    api.clock.advance(365 * dayMs);
    const { form, browser } = await owner();
    api.clock.advance(-365 * dayMs);
    await lockLogin(form.email);
    expect((await browser.logIn(form.email, form.password)).statusCode).toBe(429);
  });

  test("has a cookie that no script reads, for half a year, and that opens nothing", async () => {
    const { form } = await owner();
    const answer = await open().logIn(form.email, form.password);
    expect(browserCookieOf(answer)).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", maxAge: 180 * 24 * 3600 });
    const token = browserCookieOf(answer)!.value;
    for (const shown of [token, token.split(".")[0]!])
      expect((await api.call("GET", "/api/auth/me", { token: shown })).statusCode).toBe(401);
    const { rows } = await api.database.pool.query("select token_hash from known_browsers");
    expect(JSON.stringify(rows)).not.toContain(token.split(".")[0]!);
  });

  test("is not what a program signs in with, nor an operator on a visit", async () => {
    const { form } = await owner();
    const program = await api.app.inject({
      method: "POST",
      url: "/api/auth/login",
      payload: { login: form.email, password: form.password },
    });
    expect([program.statusCode, browserCookieOf(program)]).toEqual([200, undefined]);
    const visit = new URL((await mintOperatorCode(api.services, String(form.accountName), { operator: "grace", reason: "ticket 7" }))!);
    const visited = await open().post("/api/auth/login/code", { code: visit.searchParams.get("code") });
    expect([visited.statusCode, browserCookieOf(visited)]).toEqual([200, undefined]);
  });

  test("of twenty-one, the one unused for longest is forgotten", async () => {
    const { form, browser: first } = await owner();
    const others = [];
    for (const _ of times(20)) {
      api.clock.advance(secondMs);
      const other = open();
      await other.logIn(form.email, form.password);
      others.push(other);
    }
    await lockLogin(form.email);
    expect((await first.logIn(form.email, form.password)).statusCode).toBe(429);
    expect((await others[0]!.logIn(form.email, form.password)).statusCode).toBe(200);
  });
});

describe("browsers are forgotten", () => {
  /** The owner's second browser, and one that does `act`. */
  async function forgottenAfter(act: (one: Awaited<ReturnType<typeof owner>>) => Promise<Answer>, password?: string) {
    const here = await owner();
    const elsewhere = open();
    await elsewhere.logIn(here.form.email, here.form.password);
    expect((await act(here)).statusCode).toBeLessThan(300);
    await lockLogin(here.form.email);
    const right = password ?? here.form.password;
    return {
      here: (await here.browser.logIn(here.form.email, right)).statusCode,
      elsewhere: (await elsewhere.logIn(here.form.email, right)).statusCode,
    };
  }
  const newPassword = "a brand new password";

  test("by a reset, except the one that made it", async () => {
    const outcome = await forgottenAfter(async ({ form, browser }) => {
      const token = await askLink("/api/auth/forgot-password", form.email);
      return browser.post("/api/auth/reset-password", { token, password: newPassword });
    }, newPassword);
    expect(outcome).toEqual({ here: 200, elsewhere: 429 });
  });

  test("by a new password, except the one that chose it", async () => {
    const outcome = await forgottenAfter(
      ({ form, browser, token }) =>
        browser.post("/api/auth/change-password", { currentPassword: form.password, password: newPassword }, token),
      newPassword,
    );
    expect(outcome).toEqual({ here: 200, elsewhere: 429 });
  });

  test.each(["all other sessions", "one other session"])("by signing out %s, except this one", async (which) => {
    const outcome = await forgottenAfter(async ({ token, browser }) => {
      const { sessions } = (await api.call("GET", "/api/auth/sessions", { token })).json<{
        sessions: { id: string; isCurrent: boolean }[];
      }>();
      const path = which === "one other session" ? `/${sessions.find(({ isCurrent }) => !isCurrent)!.id}` : "";
      const answer = await api.call("DELETE", `/api/auth/sessions${path}`, {
        headers: { cookie: `token=${token}; slipway-browser=${browser.cookie()}` },
      });
      return browser.keep(answer);
    });
    expect(outcome).toEqual({ here: 200, elsewhere: 429 });
  });
});

test("code in a workspace that guesses the password does not make its owner wait", async () => {
  const { form, token } = await owner();
  const vouched = (await open().logIn(form.email, form.password)).json<{ token: string }>().token;
  await api.database.pool.query("update sessions set opened_by = 'workspace' where token_hash = $1", [hashToken(vouched)]);
  const confirm = (of: string, password: unknown) => api.call("POST", "/api/auth/confirm-password", { token: of, body: { password } });
  for (const _ of times(5)) expect((await confirm(vouched, "a guess")).statusCode).toBe(403);
  expect((await confirm(vouched, form.password)).statusCode).toBe(429);
  expect((await confirm(token, form.password)).statusCode).toBe(204);
  expect((await confirm(vouched, form.password)).statusCode).toBe(429);
});
