/** Only its owner sees, resends and withdraws a pending change of address; it is confirmed or withdrawn, never both. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { hourMs, minuteMs } from "#platform/clock.ts";
import { untilAnsweredOrWaiting } from "#testing/database/held-lock.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

type Method = "GET" | "POST" | "DELETE";
const call = (method: Method, path: string, token?: string, body?: object) =>
  api.call(method, `/api/auth/${path}`, { ...(token ? { token } : {}), ...(body ? { body } : {}) });
const pendingOf = async (token: string) => (await call("GET", "change-email", token)).json().pending;
const confirm = (link: string | null, token: string) => call("POST", "change-email/confirm", token, { token: link });
const emailOf = async (token: string) => (await call("GET", "me", token)).json().user.email;

let people = 0;

/** A user who has requested another address. */
async function changing() {
  const { token, form } = await registerConfirmed(api);
  const wanted = `wanted-${(people += 1)}@example.com`;
  api.clock.advance(1_000);
  expect((await call("POST", "change-email", token, { email: wanted, password: form.password })).statusCode).toBe(204);
  return { token, form, wanted, link: await linkTo(wanted) };
}
const linkTo = async (email: string) => new URL(await api.newestLink(email)).searchParams.get("token");

test("its owner sees it until the link expires; other users never do", async () => {
  const other = await registerConfirmed(api);
  expect(await pendingOf(other.token)).toBeNull();
  const { token, wanted } = await changing();
  expect(await pendingOf(token)).toEqual({ email: wanted, expiresAt: new Date(api.clock.now().getTime() + hourMs).toISOString() });
  expect(await pendingOf(other.token)).toBeNull();
  expect((await call("GET", "change-email")).statusCode).toBe(401);
  api.clock.advance(hourMs);
  expect(await pendingOf(token)).toBeNull();
});

test("once withdrawn, its links stop working and the address stays; a second time there is nothing to withdraw", async () => {
  const { token, form, link } = await changing();
  expect((await call("DELETE", "change-email", token)).statusCode).toBe(204);
  expect(await pendingOf(token)).toBeNull();
  expect((await confirm(link, token)).json()).toMatchObject({ status: 410, code: "email_link_invalid" });
  expect(await emailOf(token)).toBe(form.email);
  expect((await call("DELETE", "change-email", token)).json()).toMatchObject({ status: 410, code: "email_change_over" });
});

test("other users and visitors can neither withdraw it nor have it mailed", async () => {
  const { token, wanted, link } = await changing();
  const other = await registerConfirmed(api);
  for (const [method, path] of [
    ["DELETE", "change-email"],
    ["POST", "change-email/resend"],
  ] as const) {
    expect((await call(method, path)).statusCode).toBe(401);
    expect((await call(method, path, other.token)).json()).toMatchObject({ code: "email_change_over" });
    expect(
      (await api.call(method, `/api/auth/${path}`, { headers: { origin: "https://evil.example", cookie: `token=${token}` } })).json(),
    ).toMatchObject({ code: "cross_origin" });
  }
  expect((await confirm(link, token)).json()).toEqual({ email: wanted });
});

test("mailed again after a minute, valid for another hour; the first link still works, and only one of them once", async () => {
  const { token, wanted, link } = await changing();
  const early = await call("POST", "change-email/resend", token);
  expect([early.statusCode, early.headers["retry-after"]]).toEqual([429, "60"]);
  api.clock.advance(50 * minuteMs);
  expect((await call("POST", "change-email/resend", token)).statusCode).toBe(204);
  const second = await linkTo(wanted);
  expect(second).not.toBe(link);
  expect((await pendingOf(token)).expiresAt).toBe(new Date(api.clock.now().getTime() + hourMs).toISOString());
  expect((await confirm(link, token)).json()).toEqual({ email: wanted });
  expect(await pendingOf(token)).toBeNull();
  expect((await confirm(second, token)).json()).toMatchObject({ code: "email_link_invalid" });
});

test("of two simultaneous requests for another mail, one sends it", async () => {
  const { token } = await changing();
  api.clock.advance(minuteMs);
  const answers = await Promise.all([1, 2].map(async () => (await call("POST", "change-email/resend", token)).statusCode));
  expect(answers.toSorted()).toEqual([204, 429]);
});

test("does not reveal that an address is taken: the change stays pending like any other", async () => {
  const [asker, holder] = [await registerConfirmed(api), await registerConfirmed(api)];
  api.clock.advance(1_000);
  await call("POST", "change-email", asker.token, { email: holder.form.email, password: asker.form.password });
  expect(await pendingOf(asker.token)).toMatchObject({ email: holder.form.email });
  api.clock.advance(minuteMs);
  expect((await call("POST", "change-email/resend", asker.token)).statusCode).toBe(204);
  const { rows } = await api.database.pool.query(
    "select count(*)::int from mails where recipient = $1 and subject = 'You already have an account'",
    [holder.form.email],
  );
  expect(rows).toEqual([{ count: 2 }]);
  expect((await call("DELETE", "change-email", asker.token)).statusCode).toBe(204);
});

test("withdrawn and confirmed at the same moment, one of them counts and the other is refused", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { token, form, wanted, link } = await changing();
    const [withdrawn, confirmed] = await Promise.all([call("DELETE", "change-email", token), confirm(link, token)]);
    expect([
      [204, 410],
      [410, 200],
    ]).toContainEqual([withdrawn.statusCode, confirmed.statusCode]);
    expect(await emailOf(token)).toBe(confirmed.statusCode === 200 ? wanted : form.email);
    expect(await pendingOf(token)).toBeNull();
  }
});

test.each([
  ["DELETE", "change-email"],
  ["POST", "change-email/resend"],
] as const)("%s %s that comes while the change ends waits for that, and then says that it is over", async (method, path) => {
  const { token, form } = await changing();
  api.clock.advance(minuteMs);
  // As in confirming and withdrawing: lock the person, then delete the links.
  const ending = await api.database.pool.connect();
  try {
    await ending.query("begin");
    const { rows } = await ending.query("select id from users where email = $1 for update", [form.email]);
    const late = call(method, path, token);
    await untilAnsweredOrWaiting(api.database.pool, late);
    await ending.query("delete from link_tokens where user_id = $1", [rows[0].id]);
    await ending.query("commit");
    expect((await late).json()).toMatchObject({ status: 410, code: "email_change_over" });
  } finally {
    ending.release();
  }
  expect(await pendingOf(token)).toBeNull();
});
