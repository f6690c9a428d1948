/** Guessing passwords: per login, per address, simultaneously, over restarts, and without revealing which accounts exist. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressSubject } from "#domain/attempts/attempt-store.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";
import { buildApi } from "#apps/api/build-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const logIn = (login: unknown, password: unknown, address?: string) =>
  api.call("POST", "/api/auth/login", { body: { login, password }, ...(address ? { address } : {}) });
const codes = async (answers: Promise<{ statusCode: number }>[]) => (await Promise.all(answers)).map((answer) => answer.statusCode);
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

test("after five wrong passwords a login is locked, for an unknown account just as for a known one", async () => {
  const { form } = await registerSomebody(api);
  const answersOf = async (login: unknown) => {
    const answers: object[] = [];
    for (const _ of times(7)) {
      const { statusCode, headers, body } = await logIn(login, "wrong password");
      answers.push({ statusCode, retryAfter: headers["retry-after"], body: { ...JSON.parse(body), requestId: "" } });
    }
    return answers;
  };
  const known = await answersOf(form.email);
  expect(known).toEqual(await answersOf("nobody-at-all@example.com"));
  expect(known.map((answer) => (answer as { statusCode: number }).statusCode)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect(known[5]).toMatchObject({ retryAfter: "30", body: { code: "too_many_sign_ins", retryAfterSeconds: 30 } });
});

test("while a login is locked the right password is refused too; later it is accepted and resets the count", async () => {
  const { form } = await registerSomebody(api);
  for (const _ of times(5)) await logIn(form.email, "wrong password");
  expect((await logIn(form.email, form.password)).statusCode).toBe(429);
  api.clock.advance(30 * secondMs);
  expect((await logIn(form.email, form.password)).statusCode).toBe(200);
  for (const _ of times(5)) expect((await logIn(form.email, "wrong password")).statusCode).toBe(401);
});

test("each further wrong password doubles the lock, up to a quarter of an hour; after an hour without attempts it is reset", async () => {
  const waits: number[] = [];
  for (const _ of times(5)) await logIn("patient-guesser", "wrong password");
  for (const _ of times(8)) {
    const wait = (await logIn("patient-guesser", "wrong password")).json().retryAfterSeconds;
    waits.push(wait);
    api.clock.advance(wait * secondMs);
    expect((await logIn("patient-guesser", "wrong password")).statusCode).toBe(401);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  api.clock.advance(hourMs + secondMs);
  for (const _ of times(5)) expect((await logIn("patient-guesser", "wrong password")).statusCode).toBe(401);
});

test("a hundred simultaneous guesses count as five", async () => {
  const { form } = await registerSomebody(api);
  const answers = await codes(times(100).map((index) => logIn(form.email, `guess number ${index}`)));
  expect(answers.filter((code) => code === 401)).toHaveLength(5);
  expect(answers.filter((code) => code === 429)).toHaveLength(95);
});

test("an address that tries many accounts is locked, others are not; its own sign-ins do not reset it", async () => {
  const { form } = await registerSomebody(api);
  const from = "192.0.2.50";
  for (const index of times(25)) {
    expect((await logIn(`victim-${index}`, "wrong password", from)).statusCode).toBe(401);
    if (index === 20) expect((await logIn(form.email, form.password, from)).statusCode).toBe(200);
  }
  expect((await logIn(form.email, form.password, from)).json()).toMatchObject({ code: "too_many_sign_ins" });
  expect((await logIn(form.email, form.password, "192.0.2.51")).statusCode).toBe(200);
  api.clock.advance(minuteMs);
  expect((await logIn(form.email, form.password, from)).statusCode).toBe(200);
});

test("another process, or a restarted one, continues the count", async () => {
  const { form } = await registerSomebody(api);
  for (const _ of times(5)) await logIn(form.email, "wrong password");
  const restarted = await buildApi(api.services);
  const answer = await restarted.inject({
    method: "POST",
    url: "/api/auth/login",
    payload: { login: form.email, password: form.password },
  });
  expect(answer.statusCode).toBe(429);
  await restarted.close();
});

test("typed logins are not readable in the table", async () => {
  await logIn("my secret password, typed into the wrong field", "x");
  const { rows } = await api.database.pool.query("select key from attempts");
  expect(rows.every(({ key }) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2:ffff::1", "2001:db8:1:2"],
  ["2001:DB8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("the address %s is counted as %s", (address, subject) => expect(addressSubject(address)).toBe(subject));

test("an account that only publishes workflows is asked to create a new account, and only with its password", async () => {
  const { form } = await registerSomebody(api);
  await api.database.pool.query("update users set kind = 'publisher' where email = $1", [form.email]);
  expect((await logIn(form.email, "wrong password")).json()).toMatchObject({ code: "invalid_credentials" });
  const answer = await logIn(form.email, form.password);
  expect(answer.json()).toMatchObject({
    status: 403,
    code: "publisher_account",
    title: "This account only publishes workflows. To get a workspace, create a new account.",
  });
  expect(answer.cookies).toEqual([]);
});

test("signing in replaces the session that the browser had, whichever that was", async () => {
  const [before, victim] = [await registerSomebody(api), await registerSomebody(api)];
  const answer = await api.call("POST", "/api/auth/login", {
    token: before.token,
    body: { login: victim.form.email, password: victim.form.password },
  });
  expect(answer.json().user.email).toBe(victim.form.email);
  expect(answer.cookies[0]!.value).not.toBe(before.token);
  expect((await api.call("GET", "/api/auth/me", { token: before.token })).statusCode).toBe(401);
  const planted = await api.call("POST", "/api/auth/login", {
    token: "chosen-by-somebody-else",
    body: { login: victim.form.email, password: victim.form.password },
  });
  expect(planted.json().token).not.toBe("chosen-by-somebody-else");
  expect((await api.call("GET", "/api/auth/me", { token: "chosen-by-somebody-else" })).statusCode).toBe(401);
});
