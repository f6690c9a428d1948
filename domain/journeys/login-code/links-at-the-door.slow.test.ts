/** A mailed link is a way in from everywhere, whatever strangers do to the queue and to the calls of an address (decision 0198). */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loginKeyOf, mintLoginCode } from "#apps/provisioner/engines/n8n/workspace-side/people/login-code.mts";
import { fillQueue, times } from "#testing/accounts/fill-queue.ts";
import { openBrowser } from "#testing/accounts/open-browser.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeEach(async () => void (api = await createTestApi()));
afterEach(() => api[Symbol.asyncDispose]());

const office = "192.0.2.71";
const newPassword = "a new password of many words";

/** Each way in: how its link is mailed, and the call that a new browser makes with it. */
const ways = {
  "a sign-in link": async () => {
    const { form } = await registerConfirmed(api);
    const code = await mailed(form.email, "/api/user/magic-link", "code");
    return { form, path: "/api/auth/login/code", body: { code }, wrong: { code: "a guess" }, answer: 200 };
  },
  "the holder of a sign-in link": async () => {
    const { form } = await registerConfirmed(api);
    const code = await mailed(form.email, "/api/user/magic-link", "code");
    return { form, path: "/api/auth/login/code/holder", body: { code }, wrong: { code: "a guess" }, answer: 200 };
  },
  "a sign-in code of the workspace": async () => {
    const { form, codes } = await workspaceOwner();
    return { form, path: "/api/auth/login/code", body: { code: codes() }, wrong: { code: "a guess" }, answer: 200 };
  },
  "a link to choose a new password": async () => {
    const { form } = await registerConfirmed(api);
    const token = await mailed(form.email, "/api/auth/forgot-password", "token");
    const body = { token, password: newPassword };
    return { form, path: "/api/auth/reset-password", body, wrong: { ...body, token: "a".repeat(43) }, answer: 204 };
  },
  "a link to confirm the address": async () => {
    const { form } = await registerSomebody(api);
    const token = tokenOf(await api.newestLink(form.email));
    const body = { token, password: form.password };
    return { form, path: "/api/auth/confirm-email", body, wrong: { ...body, token: "a".repeat(43) }, answer: 200 };
  },
  "a link to confirm a new address": async () => {
    const { form, token: session } = await registerConfirmed(api);
    const email = `new-${form.email}`;
    const asked = await api.call("POST", "/api/auth/change-email", { token: session, body: { email, password: form.password } });
    expect(asked.statusCode, asked.body).toBeLessThan(300);
    const body = { token: tokenOf(await api.newestLink(email)), password: form.password };
    return { form, path: "/api/auth/change-email/confirm", body, wrong: { ...body, token: "a".repeat(43) }, answer: 200 };
  },
};
const names = Object.keys(ways) as (keyof typeof ways)[];

const tokenOf = (link: string) => new URL(link).searchParams.get("token");

async function mailed(email: unknown, path: string, item: string) {
  api.clock.advance(1);
  await openBrowser(api).post(path, { email });
  return new URL(await api.newestLink(email)).searchParams.get(item);
}

async function workspaceOwner() {
  const { form, token } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  await api.database.pool.query("update workspaces set observed_state = 'online', observed_generation = generation, gateway_open = true");
  const { rows } = await api.database.pool.query<{ id: string; secrets: string }>("select id, secrets from workspaces");
  const { loginKey } = JSON.parse(api.services.secrets.decrypt(rows[0]!.secrets, "workspace")) as { loginKey: string };
  return { form, codes: () => mintLoginCode(loginKeyOf(loginKey), rows[0]!.id, api.clock.now().getTime()) };
}

describe("in a new browser", () => {
  test.each(names)(
    "%s works while strangers with valid links of their own fill the queue",
    async (name) => {
      // One account has too few calls to fill it.
      const strangers = await Promise.all(times(5).map(() => ways[name === "a sign-in code of the workspace" ? "a sign-in link" : name]()));
      const emails = strangers.map(({ form }) => `'${String(form.email)}'`).join();
      const { path, body, answer } = await ways[name]();
      await fillQueue(
        api,
        // Their links wait for their accounts, and all codes for the count of attempts.
        `select 1 from users where email in (${emails}) for update; lock table attempts in exclusive mode`,
        (index) => openBrowser(api).post(path, strangers[index % strangers.length]!.body),
        async () => expect((await openBrowser(api).post(path, body)).statusCode).toBe(answer),
      );
    },
    60_000,
  );

  test.each(names)(
    "%s works at an address where strangers have used up the calls",
    async (name) => {
      const { path, body, wrong, answer } = await ways[name]();
      const statuses: number[] = [];
      for (const _ of times(61)) statuses.push((await openBrowser(api, "", office).post(path, wrong)).statusCode);
      expect(statuses.at(-1)).toBe(429);
      expect((await openBrowser(api, "", office).post(path, body)).statusCode).toBe(answer);
    },
    60_000,
  );

  test("a sign-in link works while code in the owner's workspace fills the queue with valid codes and strangers with others", async () => {
    const { form, codes } = await workspaceOwner();
    const code = await mailed(form.email, "/api/user/magic-link", "code");
    await fillQueue(
      api,
      "lock table attempts in exclusive mode",
      (index) => openBrowser(api).post("/api/auth/login/code", { code: index % 2 ? codes() : "a guess" }),
      async () => expect((await openBrowser(api).post("/api/auth/login/code", { code })).statusCode).toBe(200),
    );
  }, 60_000);

  test("a sign-in link works after code in the owner's workspace has used up the calls of its codes", async () => {
    const { form, codes } = await workspaceOwner();
    const code = await mailed(form.email, "/api/user/magic-link", "code");
    const statuses: number[] = [];
    for (const _ of times(61)) statuses.push((await openBrowser(api).post("/api/auth/login/code/holder", { code: codes() })).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect((await openBrowser(api).post("/api/auth/login/code/holder", { code })).statusCode).toBe(200);
  }, 60_000);
});

test("a link's calls are limited as well", async () => {
  const { path, body } = await ways["the holder of a sign-in link"]();
  const statuses: number[] = [];
  for (const _ of times(61)) statuses.push((await openBrowser(api).post(path, body)).statusCode);
  expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
});
