import { afterAll, beforeAll, expect, test } from "vitest";
import { hourMs, secondMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const linkToken = async (email: unknown) => new URL(await api.newestLink(email)).searchParams.get("token");
const confirm = (token: unknown) => api.call("POST", "/api/auth/confirm-email", { body: { token } });

test("the link confirms, and opening it again says so without signing anybody in", async () => {
  const { token, form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  const first = await confirm(link);
  expect(first.json()).toEqual({ email: form.email, alreadyConfirmed: false });
  expect((await api.call("GET", "/api/auth/me", { token })).json().user.confirmed).toBe(true);
  const second = await confirm(link);
  expect(second.json()).toEqual({ email: form.email, alreadyConfirmed: true });
  expect(second.cookies).toEqual([]);
});

test("a link opened twice at the same moment confirms once", async () => {
  const { form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  const answers = await Promise.all([confirm(link), confirm(link), confirm(link)]);
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

test("a link sent to an address that is no longer the person's is not valid", async () => {
  const { form } = await registerSomebody(api);
  const link = await linkToken(form.email);
  await api.database.pool.query("update users set email = 'moved@example.com' where email = $1", [form.email]);
  expect((await confirm(link)).json()).toMatchObject({ status: 400, code: "link_invalid" });
});

test("another mail can be asked for a minute after the last, and its link works", async () => {
  const { token, form } = await registerSomebody(api);
  const resend = () => api.call("POST", "/api/auth/resend-confirmation", { token });
  const early = await resend();
  expect(early.statusCode).toBe(429);
  expect(early.headers["retry-after"]).toBe("60");
  api.clock.advance(60 * secondMs);
  const before = await api.newestLink(form.email);
  expect((await resend()).statusCode).toBe(204);
  expect(await api.newestLink(form.email)).not.toBe(before);
  expect((await confirm(await linkToken(form.email))).json()).toMatchObject({ alreadyConfirmed: false });
});

test("of several clicks at the same moment one sends a mail", async () => {
  const { token, form } = await registerSomebody(api);
  api.clock.advance(60 * secondMs);
  const codes = (await Promise.all([1, 2, 3].map(() => api.call("POST", "/api/auth/resend-confirmation", { token })))).map((answer) => answer.statusCode);
  expect(codes.toSorted()).toEqual([204, 429, 429]);
  const { rows } = await api.database.pool.query("select count(*)::int as n from mails where recipient = $1", [form.email]);
  expect(rows[0].n).toBe(2);
});

test("a confirmed person is sent nothing more", async () => {
  const { token, form } = await registerConfirmed(api);
  api.clock.advance(60 * secondMs);
  const before = await api.newestLink(form.email);
  expect((await api.call("POST", "/api/auth/resend-confirmation", { token })).statusCode).toBe(204);
  expect(await api.newestLink(form.email)).toBe(before);
});

test("a mail is asked for by signed-in people only", async () => {
  expect((await api.call("POST", "/api/auth/resend-confirmation")).json()).toMatchObject({ status: 401, code: "signed_out" });
});
