/** Strangers who request mails for an account: its owner's mailbox is neither flooded nor without a link that works (decision 0175). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minuteMs } from "#platform/clock.ts";
import { linkItem, mailsWith, openBrowser, ownerWithBrowser } from "#testing/accounts/open-browser.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const open = (kept?: string, address?: string) => openBrowser(api, kept, address);
const signInLinks = (email: unknown) => mailsWith(api, email, "Your sign-in link");
const resetLinks = (email: unknown) => mailsWith(api, email, "Choose a new password");
const ask = (path: "magic-link" | "forgot-password", email: unknown, browser = open()) => {
  // The newest mail must be the newest.
  api.clock.advance(1);
  return browser.post(path === "magic-link" ? "/api/user/magic-link" : "/api/auth/forgot-password", { email });
};

describe("strangers who request mails for an account", () => {
  test("do not use up those that its owner requests in a known browser", async () => {
    const { form, browser } = await ownerWithBrowser(api);
    for (const _ of times(5)) await ask("magic-link", form.email);
    const before = (await signInLinks(form.email)).length;
    await ask("magic-link", form.email, browser);
    const links = await signInLinks(form.email);
    expect(links).toHaveLength(before + 1);
    expect((await open().post("/api/auth/login/code", { code: linkItem(links[0]!, "code") })).statusCode).toBe(200);
    await ask("forgot-password", form.email, browser);
    expect(await resetLinks(form.email)).toHaveLength(1);
  });

  test("from its owner's address do not use them up either", async () => {
    const address = "192.0.2.70";
    const { form, browser } = await ownerWithBrowser(api);
    for (const index of times(20)) await ask("magic-link", `victim-${index}@example.com`, open("", address));
    expect((await ask("magic-link", form.email, open("", address))).statusCode).toBe(429);
    expect((await ask("magic-link", form.email, open(browser.cookie(), address))).statusCode).toBe(204);
    expect(await signInLinks(form.email)).toHaveLength(1);
  });

  test.each([
    ["magic-link", "/api/auth/login/code", "code"],
    ["forgot-password", "/api/auth/reset-password", "token"],
  ] as const)("by %s leave a link that works in its owner's mailbox at every moment, and few mails", async (path, use, item) => {
    const { form } = await ownerWithBrowser(api);
    const links = path === "magic-link" ? signInLinks : resetLinks;
    // Every nine minutes for three hours, by strangers; the owner could look into the mailbox at any of these moments.
    for (const step of times(20)) {
      if (step > 0) api.clock.advance(9 * minuteMs);
      await ask(path, form.email);
      const { rows } = await api.database.pool.query(
        `select max(expires_at) > $2 as works from link_tokens
         where purpose = $3 and user_id = (select id from users where email = $1)`,
        [form.email, api.clock.now(), path === "magic-link" ? "magic-link" : "reset-password"],
      );
      expect(rows[0].works, `at step ${step}`).toBe(true);
    }
    const sent = await links(form.email);
    expect(sent).toHaveLength(7);
    const newest = linkItem(sent[0]!, item);
    const chosen = item === "token" ? { password: "a brand new password" } : {};
    expect((await open().post(use, { [item]: newest, ...chosen })).statusCode).toBeLessThan(300);
    // It is used: the next request brings another one.
    await ask(path, form.email);
    expect(await links(form.email)).toHaveLength(sent.length + 1);
  });

  test("for one kind of link leave the other", async () => {
    const { form } = await ownerWithBrowser(api);
    for (const _ of times(5)) await ask("magic-link", form.email);
    await ask("forgot-password", form.email);
    expect(await resetLinks(form.email)).toHaveLength(1);
  });

  test("at the same moment get no more than one by one", async () => {
    const { form } = await ownerWithBrowser(api);
    await Promise.all(times(30).map(() => ask("forgot-password", form.email)));
    expect(await resetLinks(form.email)).toHaveLength(3);
  });

  test("before there is an account do not use up its first link", async () => {
    const email = "not-yet@example.com";
    for (const _ of times(5)) await ask("magic-link", email);
    await registerConfirmed(api, { email, emailConfirmation: email });
    await ask("magic-link", email);
    expect(await signInLinks(email)).toHaveLength(1);
  });
});
