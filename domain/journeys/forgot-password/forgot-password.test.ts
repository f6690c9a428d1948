/** Only the right person can change a password or an address, once; every other session ends. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldMessage } from "#contract/api/field-words.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { expectSameTime } from "#testing/accounts/expect-same-time.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const post = (path: string, body: object, token?: string) => {
  // The clock does not move between calls; the newest mail must be the newest.
  api.clock.advance(1);
  return api.call("POST", `/api/auth/${path}`, { body, ...(token ? { token } : {}) });
};
const newestToken = async (email: unknown) => new URL(await api.newestLink(email)).searchParams.get("token");
const mailsTo = async (email: unknown) =>
  (await api.database.pool.query("select subject, text from mails where recipient = $1 order by created_at desc, id desc", [email]))
    .rows as { subject: string; text: string }[];
const isSignedIn = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).statusCode === 200;
const logIn = (login: unknown, password: unknown) => post("login", { login, password });
const forgot = async (email: unknown) => (await post("forgot-password", { email }), newestToken(email));

describe("a forgotten password", () => {
  test("is replaced by the mailed link; every session and every other link ends; a notice says so", async () => {
    // Before the first confirmation a link also claims the mailbox, which ends sessions by itself.
    for (const register of [registerSomebody, registerConfirmed]) {
      const { token, form } = await register(api);
      const other = (await logIn(form.email, form.password)).json().token;
      const [first, link] = [await forgot(form.email), await forgot(form.email)];
      const answer = await post("reset-password", { token: link, password: "a brand new password" });
      expect([answer.statusCode, answer.cookies.map(({ name }) => name)]).toEqual([204, ["slipway-browser"]]);
      expect(await isSignedIn(token)).toBe(false);
      expect(await isSignedIn(other)).toBe(false);
      expect((await logIn(form.email, form.password)).statusCode).toBe(401);
      expect((await logIn(form.email, "a brand new password")).json()).toMatchObject({ user: { confirmed: true } });
      expect((await post("reset-password", { token: first, password: "yet another password" })).json()).toMatchObject({
        status: 410,
        code: "password_link_invalid",
      });
      expect((await mailsTo(form.email))[0]!.subject).toBe("Your password was changed");
    }
  });

  test("the link works once, even if used five times at the same moment", async () => {
    const { form } = await registerSomebody(api);
    const link = await forgot(form.email);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((index) => post("reset-password", { token: link, password: `new password ${index}` })),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([204, 410, 410, 410, 410]);
    expect((await post("reset-password", { token: link, password: "once more, please" })).statusCode).toBe(410);
  });

  test("the link ends after an hour, with another password, and with another address", async () => {
    const expired = await registerSomebody(api);
    const link = await forgot(expired.form.email);
    api.clock.advance(hourMs);
    const reset = (token: unknown) => post("reset-password", { token, password: "a brand new password" });
    expect((await reset(link)).statusCode).toBe(410);
    const changed = await registerSomebody(api);
    const beforeChange = await forgot(changed.form.email);
    await post("change-password", { currentPassword: changed.form.password, password: "changed in the panel" }, changed.token);
    expect((await reset(beforeChange)).statusCode).toBe(410);
    const moved = await registerSomebody(api);
    const beforeMove = await forgot(moved.form.email);
    await api.database.pool.query("update users set email = 'somewhere-else@example.com' where email = $1", [moved.form.email]);
    expect((await reset(beforeMove)).statusCode).toBe(410);
  });

  test.each(["1234567", "a".repeat(65), "", 7])(
    "the new password %j is refused by the rule of registration, and the link stays valid",
    async (password) => {
      const { form } = await registerSomebody(api);
      const link = await forgot(form.email);
      expect((await post("reset-password", { token: link, password })).statusCode).toBe(422);
      expect((await post("reset-password", { token: link, password: "a brand new password" })).statusCode).toBe(204);
    },
  );

  test("resets a login that is locked after guessing", async () => {
    const { form } = await registerSomebody(api);
    for (let guess = 0; guess < 6; guess += 1) await logIn(form.email, "wrong password");
    expect((await logIn(form.email, form.password)).statusCode).toBe(429);
    await post("reset-password", { token: await forgot(form.email), password: "a brand new password" });
    expect((await logIn(form.email, "a brand new password")).statusCode).toBe(200);
  });

  test("for an unknown account gets the same answer in the same time, and sends no mail", async () => {
    await expectSameTime(async () => {
      const { form } = await registerSomebody(api);
      const times: number[] = [];
      for (const email of [form.email, "nobody-there@example.com"]) {
        const startedMs = performance.now();
        const answer = await post("forgot-password", { email });
        times.push(performance.now() - startedMs);
        expect([answer.statusCode, answer.body, answer.headers["retry-after"]]).toEqual([204, "", undefined]);
      }
      return times;
    });
    expect(await mailsTo("nobody-there@example.com")).toEqual([]);
  });

  test("does not flood a mailbox: three mails, then one every few minutes, with the same answer", async () => {
    const { form } = await registerSomebody(api);
    for (let asked = 0; asked < 8; asked += 1) expect((await post("forgot-password", { email: form.email })).statusCode).toBe(204);
    expect((await mailsTo(form.email)).filter(({ subject }) => subject === "Choose a new password")).toHaveLength(3);
    api.clock.advance(5 * minuteMs);
    await post("forgot-password", { email: form.email });
    expect((await mailsTo(form.email)).filter(({ subject }) => subject === "Choose a new password")).toHaveLength(4);
  });
});

describe("a password changed in the panel", () => {
  test("needs the current one, ends the other sessions and keeps this one; a mail says so", async () => {
    const { token, form } = await registerSomebody(api);
    const other = (await logIn(form.email, form.password)).json().token;
    const answer = await post("change-password", { currentPassword: form.password, password: "a brand new password" }, token);
    expect(answer.statusCode).toBe(204);
    expect(await isSignedIn(token)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
    expect((await logIn(form.email, "a brand new password")).statusCode).toBe(200);
    expect((await mailsTo(form.email))[0]!.subject).toBe("Your password was changed");
  });

  test("a wrong current password is reported at its field; guessing it with a stolen session is stopped", async () => {
    const { token, form } = await registerSomebody(api);
    const answer = await post("change-password", { currentPassword: "wrong", password: "a brand new password" }, token);
    expect(answer.json()).toMatchObject({
      status: 403,
      code: "wrong_password",
      errors: [{ path: "currentPassword", code: "current_password.wrong", message: fieldMessage("current_password.wrong") }],
    });
    for (let guess = 0; guess < 4; guess += 1) await post("change-email", { email: "other@example.com", password: "wrong" }, token);
    expect(
      (await post("change-password", { currentPassword: form.password, password: "a brand new password" }, token)).json(),
    ).toMatchObject({ status: 429, code: "too_many_sign_ins" });
    api.clock.advance(30 * secondMs);
    expect((await post("change-password", { currentPassword: form.password, password: "a brand new password" }, token)).statusCode).toBe(
      204,
    );
  });

  test("of two simultaneous changes, one wins", async () => {
    const { token, form } = await registerSomebody(api);
    const codes = await Promise.all(
      [1, 2].map(
        async (index) =>
          (await post("change-password", { currentPassword: form.password, password: `new password ${index}` }, token)).statusCode,
      ),
    );
    expect(codes.toSorted()).toEqual([204, 403]);
  });
});

describe("an e-mail address", () => {
  const ask = (token: string, form: Record<string, unknown>, email: unknown) =>
    post("change-email", { email, password: form.password }, token);

  test("changes when the link in the new mailbox is opened, and the old one is notified twice", async () => {
    const { token, form } = await registerConfirmed(api);
    expect((await ask(token, form, "New.Ada@example.com")).statusCode).toBe(204);
    const asked = (await mailsTo(form.email))[0]!;
    expect(asked.subject).toBe("Your email address is about to change");
    expect(asked.text).toContain("n•••@example.com");
    expect((await api.call("GET", "/api/auth/me", { token })).json().user.email).toBe(form.email);
    const link = await newestToken("new.ada@example.com");
    expect((await post("change-email/confirm", { token: link }, token)).json()).toEqual({ email: "new.ada@example.com" });
    expect((await api.call("GET", "/api/auth/me", { token })).json().user).toMatchObject({ email: "new.ada@example.com", confirmed: true });
    expect((await mailsTo(form.email))[0]!.subject).toBe("Your email address was changed");
    expect((await post("change-email/confirm", { token: link })).json()).toMatchObject({ status: 410, code: "email_link_invalid" });
    expect((await logIn("new.ada@example.com", form.password)).statusCode).toBe(200);
    expect((await logIn(form.email, form.password)).statusCode).toBe(401);
  });

  test("must differ from the current one", async () => {
    const { token, form } = await registerConfirmed(api);
    const answer = await ask(token, form, String(form.email).toUpperCase());
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      code: "same_email",
      errors: [{ path: "email", code: "email.same", message: "The new address must differ from the current one." }],
    });
  });

  test("that is taken is not revealed: same answer, same time, and its owner is notified", async () => {
    await expectSameTime(async (round) => {
      const [me, other] = [await registerConfirmed(api), await registerConfirmed(api)];
      const times: number[] = [];
      for (const email of [other.form.email, `free-address-${round}@example.com`]) {
        const startedMs = performance.now();
        const answer = await ask(me.token, me.form, email);
        times.push(performance.now() - startedMs);
        expect([answer.statusCode, answer.body]).toEqual([204, ""]);
      }
      expect((await mailsTo(other.form.email))[0]!.subject).toBe("You already have an account");
      expect((await mailsTo(me.form.email)).filter(({ subject }) => subject === "Your email address is about to change")).toHaveLength(2);
      return times;
    });
  });

  test("taken between the request and the opening of the link is refused, also at the same moment", async () => {
    const [one, two] = [await registerConfirmed(api), await registerConfirmed(api)];
    await ask(one.token, one.form, "wanted@example.com");
    const first = await newestToken("wanted@example.com");
    await ask(two.token, two.form, "wanted@example.com");
    const second = await newestToken("wanted@example.com");
    const answers = await Promise.all([
      post("change-email/confirm", { token: first }, one.token),
      post("change-email/confirm", { token: second }, two.token),
    ]);
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)!.json()).toMatchObject({ code: "email_taken" });
  });

  test("request is void after a newer request, after an hour, and with a new password", async () => {
    const { token, form } = await registerConfirmed(api);
    await ask(token, form, "first-wish@example.com");
    const first = await newestToken("first-wish@example.com");
    await ask(token, form, "second-wish@example.com");
    const second = await newestToken("second-wish@example.com");
    expect((await post("change-email/confirm", { token: first })).statusCode).toBe(410);
    await post("reset-password", { token: await forgot(form.email), password: "a brand new password" });
    expect((await post("change-email/confirm", { token: second })).statusCode).toBe(410);
    const later = (await logIn(form.email, "a brand new password")).json().token;
    await ask(later, { password: "a brand new password" }, "third-wish@example.com");
    const third = await newestToken("third-wish@example.com");
    api.clock.advance(hourMs);
    expect((await post("change-email/confirm", { token: third })).statusCode).toBe(410);
  });

  test("is not changed by the reader of the new mailbox alone: a stranger must not be put into the account", async () => {
    const { token, form } = await registerConfirmed(api);
    await ask(token, form, "a-stranger@example.com");
    const link = await newestToken("a-stranger@example.com");
    expect((await post("change-email/confirm", { token: link })).json()).toMatchObject({ status: 403, code: "proof_needed" });
    const stranger = await registerConfirmed(api);
    expect((await post("change-email/confirm", { token: link }, stranger.token)).json()).toMatchObject({ code: "proof_needed" });
    expect((await post("change-email/confirm", { token: link, password: "guessed wrong" })).json()).toMatchObject({
      code: "wrong_password",
      errors: [{ path: "password" }],
    });
    expect((await post("change-email/confirm", { token: link, password: form.password })).json()).toEqual({
      email: "a-stranger@example.com",
    });
  });

  test("invalidates the links in the old mailbox", async () => {
    const { token, form } = await registerConfirmed(api);
    const inOldMailbox = await forgot(form.email);
    await ask(token, form, "moved-on@example.com");
    await post("change-email/confirm", { token: await newestToken("moved-on@example.com") }, token);
    expect((await post("reset-password", { token: inOldMailbox, password: "from the old mailbox" })).statusCode).toBe(410);
  });
});

const calls: [path: string, body: object][] = [
  ["/api/auth/login", { login: "ada", password: "x" }],
  ["/api/auth/login/code", { code: "x" }],
  ["/api/user/magic-link", { email: "ada@example.com" }],
  ["/api/auth/forgot-password", { email: "ada@example.com" }],
  ["/api/auth/reset-password", { token: "x", password: "a brand new password" }],
  ["/api/auth/change-password", { currentPassword: "x", password: "a brand new password" }],
  ["/api/auth/change-email", { email: "other@example.com", password: "x" }],
  ["/api/auth/change-email/confirm", { token: "x" }],
];

test.each(calls)("%s is refused from another site and from a workspace's page", async (path, body) => {
  const { token } = await registerSomebody(api);
  for (const origin of ["http://acme.localhost:3000", "https://evil.example", "null", ""]) {
    for (const cookie of [`token=${token}`, ""]) {
      const answer = await api.call("POST", path, { body, headers: { origin, ...(cookie ? { cookie } : {}) } });
      expect(answer.json(), `${path} ${origin}`).toMatchObject({ status: 403, code: "cross_origin" });
    }
  }
});

test.each(calls)("%s answers an empty body with the missing fields", async (path) => {
  const { token } = await registerSomebody(api);
  const answer = await api.call("POST", path, { token, body: {} });
  expect(answer.json()).toMatchObject({ status: 422, code: "validation_failed" });
});

test.each(["/api/auth/change-password", "/api/auth/change-email"])("%s is for signed-in users", async (path) => {
  const [, body] = calls.find(([each]) => each === path)!;
  expect((await api.call("POST", path, { body })).json()).toMatchObject({ status: 401, code: "signed_out" });
  expect((await api.call("POST", path, { body, token: "made-up" })).json()).toMatchObject({ status: 401, error: "Session expired" });
});
