import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hourMs, secondMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const linkToken = async (email: unknown) => new URL(await api.newestLink(email)).searchParams.get("token");
const confirm = (token: unknown, session?: string, password?: unknown) =>
  api.call("POST", "/api/auth/confirm-email", { body: { token, password }, ...(session ? { token: session } : {}) });
const proofNeeded = { status: 403, code: "proof_needed" };
const me = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).json().user;
const isSignedIn = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).statusCode === 200;
const logIn = (login: unknown, password: unknown) => api.call("POST", "/api/auth/login", { body: { login, password } });
/** The clock does not move between calls; the newest mail must be the newest. */
const askFor = async (path: string, email: unknown) => {
  api.clock.advance(1);
  await api.call("POST", path, { body: { email } });
  return new URL(await api.newestLink(email)).searchParams;
};
const useMagicLink = async (email: unknown, session?: string) =>
  api.call("POST", "/api/auth/login/code", {
    body: { code: (await askFor("/api/user/magic-link", email)).get("code") },
    ...(session ? { token: session } : {}),
  });

test("the link confirms, and opening it again says so without signing in", async () => {
  const { token, form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  const first = await confirm(link, token);
  expect(first.json()).toEqual({ email: form.email, alreadyConfirmed: false });
  expect((await api.call("GET", "/api/auth/me", { token })).json().user.confirmed).toBe(true);
  const second = await confirm(link);
  expect(second.json()).toEqual({ email: form.email, alreadyConfirmed: true });
  expect(second.cookies).toEqual([]);
});

test("a link opened twice at the same moment confirms once", async () => {
  const { token, form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  const answers = await Promise.all([confirm(link, token), confirm(link, token), confirm(link, undefined, form.password)]);
  expect(answers.filter((answer) => answer.json().alreadyConfirmed === false)).toHaveLength(1);
});

test("a link older than a day has expired", async () => {
  const { form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  api.clock.advance(24 * hourMs);
  expect((await confirm(link)).json()).toMatchObject({ status: 410, code: "link_expired", title: "The confirmation link has expired." });
});

test.each(["", "x", "a".repeat(43), "a".repeat(300), 7, null])("the token %j confirms nothing", async (token) => {
  const answer = await confirm(token);
  expect([400, 422]).toContain(answer.statusCode);
});

test("a link sent to an earlier address is not valid", async () => {
  const { form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  await api.database.pool.query("update users set email = 'moved@example.com' where email = $1", [form.email]);
  expect((await confirm(link)).json()).toMatchObject({ status: 400, code: "link_invalid" });
});

test("another mail can be requested a minute after the last, and its link works", async () => {
  const { token, form } = await registerSomebody(api);
  const resend = () => api.call("POST", "/api/auth/resend-confirmation", { token });
  const early = await resend();
  expect(early.statusCode).toBe(429);
  expect(early.headers["retry-after"]).toBe("60");
  api.clock.advance(60 * secondMs);
  const before = await api.newestLink(form.email);
  expect((await resend()).statusCode).toBe(204);
  expect(await api.newestLink(form.email)).not.toBe(before);
  expect((await confirm(await linkToken(form.email), token)).json()).toMatchObject({ alreadyConfirmed: false });
});

test("of several simultaneous clicks, one sends a mail", async () => {
  const { token, form } = await registerSomebody(api);
  api.clock.advance(60 * secondMs);
  const codes = (await Promise.all([1, 2, 3].map(() => api.call("POST", "/api/auth/resend-confirmation", { token })))).map(
    (answer) => answer.statusCode,
  );
  expect(codes.toSorted()).toEqual([204, 429, 429]);
  const { rows } = await api.database.pool.query("select count(*)::int as n from mails where recipient = $1", [form.email]);
  expect(rows[0].n).toBe(2);
});

test("whoever registers with a stranger's address cannot fill that mailbox", async () => {
  const { token, form } = await registerSomebody(api);
  // Within 25 minutes, in fewer calls than a session has in a minute of the machine's clock.
  for (const minutes of [1, 1, 1, 1, 4, 1, 9, 1, 6]) {
    api.clock.advance(minutes * 60 * secondMs);
    await api.call("POST", "/api/auth/resend-confirmation", { token });
  }
  const { rows } = await api.database.pool.query("select count(*)::int as n from mails where recipient = $1", [form.email]);
  // The registration's, three more, and those after 5 and 10 minutes.
  expect(rows[0].n).toBe(6);
  const refused = await api.call("POST", "/api/auth/resend-confirmation", { token });
  expect([refused.statusCode, Number(refused.headers["retry-after"]) > 60]).toEqual([429, true]);
});

test("a confirmed user is sent no more confirmation mails", async () => {
  const { token, form } = await registerConfirmed(api);
  api.clock.advance(60 * secondMs);
  const before = await api.newestLink(form.email);
  expect((await api.call("POST", "/api/auth/resend-confirmation", { token })).statusCode).toBe(204);
  expect(await api.newestLink(form.email)).toBe(before);
});

test("only signed-in users can request a mail", async () => {
  expect((await api.call("POST", "/api/auth/resend-confirmation")).json()).toMatchObject({ status: 401, code: "signed_out" });
});

describe("the first proof of a mailbox", () => {
  test("by the link alone, or in a session of another account, is not enough: the reader may not be the registrant", async () => {
    const { token, form } = await registerSomebody(api);
    const other = await registerConfirmed(api);
    const link = await linkToken(form.email);
    expect((await confirm(link)).json()).toMatchObject(proofNeeded);
    expect((await confirm(link, other.token)).json()).toMatchObject(proofNeeded);
    expect((await confirm(link, undefined, "not the password")).json()).toMatchObject({
      status: 403,
      code: "wrong_password",
      errors: [{ path: "password" }],
    });
    expect((await me(token)).confirmed).toBe(false);
  });

  test("on the phone, with the password, leaves the computer signed in", async () => {
    const { token, form } = await registerSomebody(api);
    expect((await confirm(await linkToken(form.email), undefined, form.password)).json()).toEqual({
      email: form.email,
      alreadyConfirmed: false,
    });
    expect(await me(token)).toMatchObject({ confirmed: true, hasPassword: true });
  });

  test("by a magic link revokes everything a squatter left: sessions, password, links, invitations; the reader chooses a password", async () => {
    const { token: squatter, form } = await registerSomebody(api);
    const confirmation = await linkToken(form.email);
    await api.call("POST", "/api/account/invite-members", { token: squatter, body: { emails: ["friend-of-squatter@example.com"] } });
    api.clock.advance(1);

    const answer = await useMagicLink(form.email);
    const { token: holder, user } = answer.json();
    expect(user).toMatchObject({ confirmed: true, hasPassword: false });
    expect(await isSignedIn(squatter)).toBe(false);
    expect((await logIn(form.email, form.password)).statusCode).toBe(401);
    expect((await logIn(form.accountName, form.password)).statusCode).toBe(401);
    expect((await confirm(confirmation, undefined, form.password)).statusCode).toBe(400);
    expect((await api.call("GET", "/api/account/invitations", { token: holder })).json().invitations).toEqual([]);
    const { rows } = await api.database.pool.query(
      "select text from mails where recipient = $1 and subject = 'Choose a new password for your account'",
      [form.email],
    );
    expect(rows).toEqual([{ text: expect.stringContaining("/forgot-password") }]);

    const choose = (body: object) => api.call("POST", "/api/auth/change-password", { token: holder, body });
    expect((await choose({ currentPassword: form.password, password: "chosen by the holder" })).json()).toMatchObject({
      code: "wrong_password",
    });
    expect((await choose({ password: "chosen by the holder" })).statusCode).toBe(204);
    expect((await choose({ password: "chosen once more" })).json()).toMatchObject({ code: "wrong_password" });
    expect((await logIn(form.email, "chosen by the holder")).json().user.hasPassword).toBe(true);
  });

  test("by a reset revokes the same, and sets the password", async () => {
    const { token: squatter, form } = await registerSomebody(api);
    await api.call("POST", "/api/account/invite-members", { token: squatter, body: { emails: ["another-friend@example.com"] } });
    const reset = (await askFor("/api/auth/forgot-password", form.email)).get("token");
    expect(
      (await api.call("POST", "/api/auth/reset-password", { body: { token: reset, password: "chosen by the holder" } })).statusCode,
    ).toBe(204);
    expect(await isSignedIn(squatter)).toBe(false);
    const { token: holder } = (await logIn(form.email, "chosen by the holder")).json();
    expect(await me(holder)).toMatchObject({ confirmed: true, hasPassword: true });
    expect((await api.call("GET", "/api/account/invitations", { token: holder })).json().invitations).toEqual([]);
  });

  test("by a magic link in the browser of the registration keeps the password and the other devices", async () => {
    const { token, form } = await registerSomebody(api);
    const phone = (await logIn(form.email, form.password)).json().token;
    expect((await useMagicLink(form.email, token)).json().user).toMatchObject({ confirmed: true, hasPassword: true });
    expect(await isSignedIn(phone)).toBe(true);
  });

  test("a magic link of a confirmed user ends nothing", async () => {
    const { token, form } = await registerConfirmed(api);
    expect((await useMagicLink(form.email)).json().user.hasPassword).toBe(true);
    expect(await isSignedIn(token)).toBe(true);
  });

  test("only a session opened by a mailed link may choose the first password", async () => {
    const { form } = await registerSomebody(api);
    const { token } = (await useMagicLink(form.email)).json();
    for (const openedBy of ["workspace", "operator"]) {
      await api.database.pool.query("update sessions set opened_by = $1 where user_id = (select id from users where email = $2)", [
        openedBy,
        form.email,
      ]);
      expect(
        (await api.call("POST", "/api/auth/change-password", { token, body: { password: "chosen by somebody" } })).json(),
      ).toMatchObject({ status: 403, code: "password_needed" });
    }
  });
});
