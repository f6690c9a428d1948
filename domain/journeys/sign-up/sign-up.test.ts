import { afterAll, beforeAll, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { mails } from "#database/tables.ts";
import { badRegistrations, goodRegistrations } from "#testing/accounts/registration-rules.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const register = (body: unknown) => api.call("POST", "/api/auth/register", { body });

test("a registration opens a session and sends the confirmation mail", async () => {
  const form = buildRegistration();
  const answer = await register(form);
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({
    user: {
      email: form.email,
      username: form.accountName,
      confirmed: false,
      account: { isSetup: false, instance: null, planSpec: null, billing: null },
    },
  });
  const cookie = answer.cookies[0]!;
  expect(cookie).toMatchObject({ name: "token", path: "/", httpOnly: true, sameSite: "Lax" });
  expect(cookie).not.toHaveProperty("domain");
  expect(await api.newestLink(form.email)).toMatch(/^http:\/\/localhost:3000\/confirm-email\?token=[\w-]{43}$/);
  const me = await api.call("GET", "/api/auth/me", { token: cookie.value });
  expect(me.json()).toMatchObject({ user: { fullName: "Ada Lovelace" } });
});

test("a German visitor's first mail is German, and so are the later ones", async () => {
  const form = buildRegistration();
  const headers = { "accept-language": "de-AT,de;q=0.9,en;q=0.8" };
  const answer = await api.call("POST", "/api/auth/register", { body: form, headers });
  expect(answer.statusCode).toBe(201);
  expect(answer.json().user.profile.language).toBe("de");
  const subjects = async () => {
    const found = await api.database.db
      .select({ subject: mails.subject })
      .from(mails)
      .where(eq(mails.recipient, String(form["email"])));
    return found.map(({ subject }) => subject);
  };
  expect(await subjects()).toEqual(["Bestätigen Sie Ihre E-Mail-Adresse"]);
  await api.call("POST", "/api/auth/forgot-password", { body: { email: form["email"] } });
  await expect.poll(subjects).toContain("Neues Passwort wählen");
});

test.each(badRegistrations)("$field $value is refused: $message", async ({ field, value, code, message }) => {
  const answer = await register(buildRegistration({ [field]: value }));
  expect(answer.statusCode).toBe(422);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  expect(answer.json().errors).toContainEqual({ path: field, code, message });
});

test.each(goodRegistrations)("%s %s is accepted", async (field, value) => {
  expect((await register(buildRegistration({ [field]: value }))).statusCode).toBe(201);
});

test("all invalid fields are reported together, the confirmation included", async () => {
  const answer = await register({ fullName: "", accountName: "A", email: "nope@example.com", emailConfirmation: "x", password: "1" });
  expect(
    answer
      .json()
      .errors.map((error: { path: string }) => error.path)
      .sort(),
  ).toEqual(["accountName", "challenge", "emailConfirmation", "fullName", "password"]);
});

test("a taken name and a taken address are refused together", async () => {
  const { form } = await registerSomebody(api);
  const answer = await register({ ...form, password: "another password" });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({
    code: "account_name_taken",
    errors: [
      { path: "accountName", code: "account_name.taken" },
      { path: "email", code: "email.taken" },
    ],
  });
  const other = await register(buildRegistration({ email: String(form.email).toUpperCase(), emailConfirmation: form.email }));
  expect(other.json()).toMatchObject({ status: 409, code: "email_taken" });
});

test("a reserved name is refused as taken", async () => {
  expect((await register(buildRegistration({ accountName: "admin" }))).json()).toMatchObject({ status: 409, code: "account_name_taken" });
});

test("of two simultaneous registrations of one name, one wins", async () => {
  const [one, two] = [buildRegistration({ accountName: "race" }), buildRegistration({ accountName: "race" })];
  const codes = (await Promise.all([register(one), register(two)])).map((answer) => answer.statusCode);
  expect(codes.toSorted((one, other) => one - other)).toEqual([201, 409]);
});

test("a password is stored as Argon2id and a session token as a hash", async () => {
  const { token, form } = await registerSomebody(api);
  const rows = await api.database.pool.query(
    "select u.password_hash, s.token_hash from users u join sessions s on s.user_id = u.id where u.email = $1",
    [form.email],
  );
  expect(rows.rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(rows.rows[0].token_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(rows.rows[0].token_hash).not.toBe(token);
});

test("a flood from one address is stopped before it costs a hash, with the time to wait", async () => {
  const flood = await callInTurn(40, () => "10.200.0.1");
  const refused = flood.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(20);
  expect(refused[0]!.json()).toMatchObject({ code: "too_many_requests", retryAfterSeconds: expect.any(Number) });
});

test("one customer's IPv6 network counts as one address", async () => {
  const flood = await callInTurn(40, (host) => `2001:db8:1:2::${host + 1}`);
  expect(flood.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20);
});

async function callInTurn(times: number, addressOf: (call: number) => string) {
  const answers = [];
  for (let call = 0; call < times; call += 1)
    answers.push(await api.call("POST", "/api/auth/register", { body: {}, address: addressOf(call) }));
  return answers;
}

test("the terms accepted in a registration are stored with it: their version, and when", async () => {
  const { form } = await registerSomebody(api);
  const { rows } = await api.database.pool.query("select terms_version, terms_accepted_at from users where email = $1", [form.email]);
  expect(rows).toEqual([{ terms_version: "2026-11", terms_accepted_at: api.clock.now() }]);
});
