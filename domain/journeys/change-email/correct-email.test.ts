/** A mistyped, unconfirmed address is replaced immediately, and its mailbox keeps no access to the account. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const post = (path: string, body: object, token?: string) => {
  // The clock does not move between calls; the newest mail must be the newest.
  api.clock.advance(1);
  return api.call("POST", `/api/${path}`, { body, ...(token ? { token } : {}) });
};
const linkTo = async (email: unknown, name = "token") => new URL(await api.newestLink(email)).searchParams.get(name);
const me = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).json().user;
const subjectsTo = async (email: unknown) =>
  (await api.database.pool.query("select subject from mails where recipient = $1 order by created_at, id", [email])).rows.map(
    ({ subject }) => subject,
  );

let people = 0;
const another = () => `right-${(people += 1)}@example.com`;

async function newcomer() {
  const { token, form } = await registerSomebody(api);
  const correct = (email: unknown, password: unknown = form.password) => post("auth/change-email", { email, password }, token);
  return { token, form, correct };
}

test("the new address applies immediately and gets the confirmation; the mistyped one is sent nothing and opens nothing", async () => {
  const { token, form, correct } = await newcomer();
  const [confirmation] = [await linkTo(form.email)];
  await post("auth/forgot-password", { email: form.email });
  const reset = await linkTo(form.email);
  await post("user/magic-link", { email: form.email });
  const code = await linkTo(form.email, "code");
  const before = await subjectsTo(form.email);
  const right = another();
  expect((await correct(right.toUpperCase())).statusCode).toBe(204);
  expect(await me(token)).toMatchObject({ email: right, confirmed: false });
  expect((await api.call("GET", "/api/auth/change-email", { token })).json()).toEqual({ pending: null });
  expect(await subjectsTo(form.email)).toEqual(before);
  expect((await post("auth/confirm-email", { token: confirmation, password: form.password })).json()).toMatchObject({
    code: "link_invalid",
  });
  expect((await post("auth/reset-password", { token: reset, password: "of whoever reads there" })).json()).toMatchObject({
    code: "password_link_invalid",
  });
  expect((await post("auth/login/code", { code })).json()).toMatchObject({ code: "login_code_invalid" });
  expect((await post("auth/confirm-email", { token: await linkTo(right) }, token)).json()).toEqual({
    email: right,
    alreadyConfirmed: false,
  });
});

test("the link in the new mailbox alone is still not enough proof", async () => {
  const { correct } = await newcomer();
  const right = another();
  await correct(right);
  expect((await post("auth/confirm-email", { token: await linkTo(right) })).json()).toMatchObject({ code: "proof_needed" });
});

test("needs the password and a session, and refuses a taken address at its field", async () => {
  const { token, form, correct } = await newcomer();
  const other = await registerConfirmed(api);
  expect((await correct(another(), "not the password")).json()).toMatchObject({ code: "wrong_password", errors: [{ path: "password" }] });
  expect((await post("auth/change-email", { email: another(), password: form.password })).statusCode).toBe(401);
  expect((await correct(other.form.email)).json()).toMatchObject({
    status: 409,
    code: "email_taken",
    errors: [{ path: "email", code: "email.taken" }],
  });
  expect((await me(token)).email).toBe(form.email);
});

test("of two people who choose one address at the same moment, one gets it", async () => {
  const [one, two] = [await newcomer(), await newcomer()];
  const right = another();
  const codes = (await Promise.all([one.correct(right), two.correct(right)])).map(({ statusCode }) => statusCode);
  expect(codes.toSorted()).toEqual([204, 409]);
});

test("requested in two tabs at the same moment, it happens once", async () => {
  const { correct } = await newcomer();
  const right = another();
  const codes = (await Promise.all([correct(right), correct(right)])).map(({ statusCode }) => statusCode);
  expect(codes).toEqual([204, 204]);
  expect(await subjectsTo(right)).toEqual(["Confirm your email address"]);
});

test("if the old address is confirmed at that moment, the change waits for its link instead", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { token, form, correct } = await newcomer();
    const link = await linkTo(form.email);
    const right = another();
    const [confirmed, corrected] = await Promise.all([post("auth/confirm-email", { token: link }, token), correct(right)]);
    expect(corrected.statusCode).toBe(204);
    const user = await me(token);
    if (confirmed.statusCode === 200) expect(user).toMatchObject({ email: form.email, confirmed: true });
    else expect(user).toMatchObject({ email: right, confirmed: false });
    expect((await api.call("GET", "/api/auth/change-email", { token })).json().pending?.email).toBe(user.confirmed ? right : undefined);
  }
});

test("if the mailbox is claimed at that moment, the claimant has the account, and its address does not change", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { form, correct } = await newcomer();
    await post("user/magic-link", { email: form.email });
    const code = await linkTo(form.email, "code");
    const right = another();
    const [claimed, corrected] = await Promise.all([post("auth/login/code", { code }), correct(right)]);
    if (claimed.statusCode === 200) {
      expect([401, 403]).toContain(corrected.statusCode);
      expect((await me(claimed.json().token)).email).toBe(form.email);
    } else expect([claimed.statusCode, corrected.statusCode]).toEqual([401, 204]);
  }
});

test("a mailbox gets three such mails, then one every few minutes", async () => {
  const right = another();
  const codes: number[] = [];
  for (let asked = 0; asked < 5; asked += 1) {
    const { correct } = await newcomer();
    codes.push((await correct(right)).statusCode);
  }
  expect(codes).toEqual([204, 409, 409, 429, 429]);
});
