/** Codes of magic links, operators and running workspaces: each works once, for its own user, for a limited time. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { loginKeyOf, mintLoginCode } from "#apps/provisioner/engines/n8n/workspace-side/people/login-code.mts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { expectSameTime } from "#testing/accounts/expect-same-time.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";
import { mintOperatorCode } from "./mint-operator-code.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const useCode = (code: unknown, options: { token?: string } = {}) =>
  api.call("POST", "/api/auth/login/code", { body: { code }, ...options });
/** The clock does not move between calls; the newest mail must be the newest. */
const askLink = (email: unknown, address?: string) => {
  api.clock.advance(1);
  return api.call("POST", "/api/user/magic-link", { body: { email }, ...(address ? { address } : {}) });
};
const newestCode = async (email: unknown) => new URL(await api.newestLink(email)).searchParams.get("code");
const newestMail = async (email: unknown) =>
  (await api.database.pool.query("select subject, text from mails where recipient = $1 order by created_at desc, id desc limit 1", [email]))
    .rows[0];
const holderOf = (code: unknown) => api.call("POST", "/api/auth/login/code/holder", { body: { code } });
const refused = { status: 401, code: "login_code_invalid", title: "Could not log in user with authentication code" };

async function workspaceOwner(state = "online") {
  const somebody = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token: somebody.token, body: { timezone: "Etc/UTC" } });
  await set(somebody.form.accountName, `observed_state = '${state}', observed_generation = generation, gateway_open = true`);
  const { rows } = await api.database.pool.query(
    "select w.id, w.secrets from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [somebody.form.accountName],
  );
  const secrets = JSON.parse(api.services.secrets.decrypt(rows[0].secrets, "workspace")) as { loginKey: string };
  return { ...somebody, workspaceId: rows[0].id as string, key: loginKeyOf(secrets.loginKey) };
}
const set = (accountName: unknown, what: string) =>
  api.database.pool.query(`update workspaces set ${what} where account_id = (select id from accounts where name = $1)`, [accountName]);
const nowMs = () => api.clock.now().getTime();

describe("a magic link", () => {
  test("is mailed to the owner, states the workspace's status, and signs in once", async () => {
    const { form } = await workspaceOwner("offline");
    expect((await askLink(form.email)).statusCode).toBe(204);
    const mail = await newestMail(form.email);
    expect(mail.subject).toBe("Your sign-in link");
    expect(mail.text).toContain(`Your workspace ${form.accountName}.localhost:3000 is offline`);
    const code = await newestCode(form.email);
    const answer = await useCode(code);
    expect(answer.json().user).toMatchObject({ email: form.email, account: { instance: { status: 0 } } });
    expect(answer.cookies[0]).toMatchObject({ name: "token", httpOnly: true, sameSite: "Lax", path: "/" });
    expect((await useCode(code)).json()).toMatchObject(refused);
  });

  test.each([
    ["online", "desired_state = 'running'", "is online"],
    ["starting", "desired_state = 'running'", "is applying changes"],
    ["stopped", "desired_state = 'stopped'", "is stopped. Your data is kept"],
  ])("tells the owner of a workspace that is %s", async (state, desired, words) => {
    const { form } = await workspaceOwner(state);
    await set(form.accountName, desired);
    await askLink(form.email);
    expect((await newestMail(form.email)).text).toContain(words);
  });

  test("tells a user without a workspace so, and confirms the address it was opened from", async () => {
    const { form } = await registerSomebody(api);
    await askLink(form.email);
    expect((await newestMail(form.email)).text).toContain("You have no workspace yet");
    expect((await useCode(await newestCode(form.email))).json().user.confirmed).toBe(true);
  });

  test("ends after 10 minutes, when another link is used, with a new password, and with another address", async () => {
    const { form, token } = await registerConfirmed(api);
    await askLink(form.email);
    api.clock.advance(10 * minuteMs + secondMs);
    expect((await useCode(await newestCode(form.email))).json()).toMatchObject(refused);
    await askLink(form.email);
    const first = await newestCode(form.email);
    api.clock.advance(secondMs);
    await askLink(form.email);
    expect((await useCode(await newestCode(form.email))).statusCode).toBe(200);
    expect((await useCode(first)).json()).toMatchObject(refused);
    api.clock.advance(2 * hourMs);
    await askLink(form.email);
    const beforeChange = await newestCode(form.email);
    await api.call("POST", "/api/auth/change-password", {
      token,
      body: { currentPassword: form.password, password: "another long password" },
    });
    expect((await useCode(beforeChange)).json()).toMatchObject(refused);
    await askLink(form.email);
    const beforeMove = await newestCode(form.email);
    await api.database.pool.query("update users set email = 'moved-away@example.com' where email = $1", [form.email]);
    expect((await useCode(beforeMove)).json()).toMatchObject(refused);
  });

  test("used five times at the same moment, it signs in once", async () => {
    const { form } = await registerConfirmed(api);
    await askLink(form.email);
    const code = await newestCode(form.email);
    const codes = await Promise.all([1, 2, 3, 4, 5].map(async () => (await useCode(code)).statusCode));
    expect(codes.toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  test("is not mailed to strangers and publishers, who get the same answer in the same time", async () => {
    await expectSameTime(async () => {
      const { form } = await registerConfirmed(api);
      await api.database.pool.query("update users set kind = 'publisher' where email = $1", [form.email]);
      const { form: member } = await registerConfirmed(api);
      const times: number[] = [];
      for (const email of [form.email, member.email, "nobody-here@example.com"]) {
        const startedMs = performance.now();
        const answer = await askLink(email);
        times.push(performance.now() - startedMs);
        expect([answer.statusCode, answer.body]).toEqual([204, ""]);
      }
      expect((await newestMail(form.email)).subject).not.toBe("Your sign-in link");
      return times;
    });
    expect(await newestMail("nobody-here@example.com")).toBeUndefined();
  });

  test("does not flood a mailbox, and one address can request only so many", async () => {
    const { form } = await registerConfirmed(api);
    for (let asked = 0; asked < 10; asked += 1) expect((await askLink(form.email)).statusCode).toBe(204);
    const { rows } = await api.database.pool.query(
      "select count(*)::int as n from mails where recipient = $1 and subject = 'Your sign-in link'",
      [form.email],
    );
    expect(rows[0].n).toBe(3);
    const codes = await Promise.all(
      Array.from({ length: 25 }, async (_, index) => (await askLink(`victim${index}@example.com`, "192.0.2.90")).statusCode),
    );
    expect(codes.filter((code) => code === 429)).toHaveLength(5);
  });
});

describe("a code of the running workspace", () => {
  test("signs its owner in, once, for an hour", async () => {
    const { form, workspaceId, key } = await workspaceOwner();
    const code = mintLoginCode(key, workspaceId, nowMs());
    const answer = await useCode(code);
    expect(answer.json().user.username).toBe(form.accountName);
    expect(answer.cookies[0]!.maxAge).toBe(3600);
    expect((await useCode(code)).json()).toMatchObject(refused);
    api.clock.advance(hourMs);
    expect((await api.call("GET", "/api/auth/me", { token: answer.json().token })).statusCode).toBe(401);
  });

  test("the same code in a different encoding is still the same code", async () => {
    const { workspaceId, key } = await workspaceOwner();
    const code = mintLoginCode(key, workspaceId, nowMs());
    expect((await useCode(code)).statusCode).toBe(200);
    for (const same of [`${code}=`, `${code} `, code.replace(".", "=.")]) expect((await useCode(same)).json()).toMatchObject(refused);
  });

  test("is refused after 60 s, from the future, with another workspace's key, changed, or for an invented workspace", async () => {
    const [mine, other] = [await workspaceOwner(), await workspaceOwner()];
    const [head, payload, signature] = mintLoginCode(mine.key, mine.workspaceId, nowMs()).split(".");
    const changed = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload!, "base64url").toString()), workspaceId: other.workspaceId }),
    ).toString("base64url");
    const codes = [
      mintLoginCode(mine.key, mine.workspaceId, nowMs() - 60 * secondMs),
      mintLoginCode(mine.key, mine.workspaceId, nowMs() + minuteMs),
      mintLoginCode(mine.key, other.workspaceId, nowMs()),
      mintLoginCode(generateKeyPairSync("ed25519").privateKey, mine.workspaceId, nowMs()),
      mintLoginCode(mine.key, "0199a000-0000-7000-8000-00000000dead", nowMs()),
      mintLoginCode(mine.key, "' or 1=1", nowMs()),
      `${head}.${changed}.${signature}`,
      `${head}.${payload}.`,
      `${head}.${payload}.${randomBytes(64).toString("base64url")}`,
      "w1.x.y",
    ];
    for (const code of codes) expect((await useCode(code)).json(), code).toMatchObject(refused);
    expect(createPublicKey(mine.key).asymmetricKeyType).toBe("ed25519");
  });

  test.each([
    ["offline", "observed_state = 'offline'"],
    ["asked to stop", "desired_state = 'stopped'"],
    ["closed to visitors", "gateway_open = false"],
  ])("does not work while the workspace is %s", async (_state, what) => {
    const { form, workspaceId, key } = await workspaceOwner();
    await set(form.accountName, what);
    expect((await useCode(mintLoginCode(key, workspaceId, nowMs()))).json()).toMatchObject(refused);
  });

  test("works a few times an hour, is recorded, and alone changes neither password nor address", async () => {
    const { workspaceId, key } = await workspaceOwner();
    const codes: number[] = [];
    let token = "";
    for (let used = 0; used < 12; used += 1) {
      const answer = await useCode(mintLoginCode(key, workspaceId, nowMs()));
      codes.push(answer.statusCode);
      token = answer.json().token ?? token;
    }
    expect(codes).toEqual([...Array<number>(10).fill(200), 401, 401]);
    const { rows } = await api.database.pool.query(
      "select count(*)::int as n from audit_log where action = 'session.opened' and after ->> 'openedBy' = 'workspace'",
    );
    expect(rows[0].n).toBeGreaterThanOrEqual(10);
    for (const [path, body] of [
      ["change-password", { currentPassword: "guess", password: "a new password" }],
      ["change-email", { email: "thief@example.com", password: "guess" }],
    ] as const) {
      expect((await api.call("POST", `/api/auth/${path}`, { token, body })).json()).toMatchObject({ code: "password_needed" });
    }
  });
});

test("an operator's code signs in once within 60 s, for an hour, with the reason on record", async () => {
  const { form } = await registerConfirmed(api);
  const visit = { operator: "grace", reason: "ticket 7" };
  const mint = async () => new URL((await mintOperatorCode(api.services, String(form.accountName), visit))!).searchParams.get("code");
  const code = await mint();
  const answer = await useCode(code);
  expect(answer.json().user.email).toBe(form.email);
  expect(answer.cookies[0]!.maxAge).toBe(3600);
  expect((await useCode(code)).json()).toMatchObject(refused);
  const late = await mint();
  api.clock.advance(60 * secondMs);
  expect((await useCode(late)).json()).toMatchObject(refused);
  expect(await mintOperatorCode(api.services, "nobody-by-this-name", visit)).toBeNull();
  const { rows } = await api.database.pool.query("select after from audit_log where action = 'operator-code.minted'");
  expect(rows[0].after).toEqual(visit);
});

test("links of other kinds are not codes, and codes are not links", async () => {
  const { form } = await registerSomebody(api);
  const confirmToken = new URL(await api.newestLink(form.email)).searchParams.get("token");
  api.clock.advance(secondMs);
  await api.call("POST", "/api/auth/forgot-password", { body: { email: form.email } });
  const resetToken = new URL(await api.newestLink(form.email)).searchParams.get("token");
  api.clock.advance(secondMs);
  await askLink(form.email);
  const code = await newestCode(form.email);
  for (const token of [confirmToken, resetToken]) expect((await useCode(token)).json()).toMatchObject(refused);
  const asLink = (path: string, body: object) => api.call("POST", `/api/auth/${path}`, { body });
  expect((await asLink("reset-password", { token: code, password: "a new password" })).json()).toMatchObject({
    code: "password_link_invalid",
  });
  expect((await asLink("reset-password", { token: confirmToken, password: "a new password" })).json()).toMatchObject({
    code: "password_link_invalid",
  });
  expect((await asLink("change-email/confirm", { token: resetToken })).json()).toMatchObject({ code: "email_link_invalid" });
  expect((await asLink("confirm-email", { token: code })).json()).toMatchObject({ code: "link_invalid" });
  expect((await useCode(code)).statusCode).toBe(200);
});

test("guessing codes from one address is stopped", async () => {
  const answers: number[] = [];
  for (let guess = 0; guess < 27; guess += 1)
    answers.push((await api.call("POST", "/api/auth/login/code", { body: { code: `guess-${guess}` }, address: "192.0.2.99" })).statusCode);
  expect(answers.filter((status) => status === 401)).toHaveLength(25);
  expect(answers.at(-1)).toBe(429);
});

test("only the holder of a code can ask, before using it, whose account it opens", async () => {
  const { form, workspaceId, key } = await workspaceOwner();
  await askLink(form.email);
  const link = await newestCode(form.email);
  const visit = new URL(
    (await mintOperatorCode(api.services, String(form.accountName), { operator: "root", reason: "asked" }))!,
  ).searchParams.get("code");
  const ofWorkspace = mintLoginCode(key, workspaceId, nowMs());
  for (const code of [link, visit, ofWorkspace]) {
    for (let asked = 0; asked < 2; asked += 1) expect((await holderOf(code)).json()).toEqual({ accountName: form.accountName });
    expect((await useCode(code)).statusCode).toBe(200);
    expect((await holderOf(code)).json()).toMatchObject(refused);
  }
  expect((await holderOf("made-up")).json()).toMatchObject(refused);
});
