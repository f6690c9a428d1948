import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldWords, type FieldCode } from "#contract/field-words.ts";
import { buildRegistration, createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const register = (body: unknown) => api.call("POST", "/api/auth/register", { body });

test("a registration opens a session and sends the confirmation mail", async () => {
  const form = buildRegistration();
  const answer = await register(form);
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({ user: { email: form.email, username: form.accountName, confirmed: false, account: { isSetup: false, instance: null, planSpec: null, billing: null } } });
  const cookie = answer.cookies[0]!;
  expect(cookie).toMatchObject({ name: "token", path: "/", httpOnly: true, sameSite: "Lax" });
  expect(cookie).not.toHaveProperty("domain");
  expect(await api.newestLink(form.email)).toMatch(/^http:\/\/localhost:3000\/confirm-email\?token=[\w-]{43}$/);
  const me = await api.call("GET", "/api/auth/me", { token: cookie.value });
  expect(me.json()).toMatchObject({ user: { fullName: "Ada Lovelace" } });
});

const bad: [field: string, value: unknown, code: FieldCode][] = [
  ["accountName", undefined, "account_name.required"],
  ["accountName", "", "account_name.required"],
  ["accountName", "ab", "account_name.length"],
  ["accountName", "a".repeat(26), "account_name.length"],
  ["accountName", "Acme", "account_name.characters"],
  ["accountName", "ac_me", "account_name.characters"],
  ["accountName", "acmé", "account_name.characters"],
  ["accountName", "1acme", "account_name.start"],
  ["accountName", "-acme", "account_name.start"],
  ["accountName", "acme-", "account_name.end"],
  ["fullName", undefined, "full_name.required"],
  ["fullName", "  ", "full_name.required"],
  ["fullName", "a".repeat(121), "full_name.length"],
  ...[...'&<>!`/={};:."\\'].map((character) => ["fullName", `Ada ${character} Lovelace`, "full_name.characters"] as [string, unknown, FieldCode]),
  ["fullName", "Ada\nLovelace", "full_name.characters"],
  ["email", undefined, "email.required"],
  ["email", "", "email.required"],
  ["email", "a@b.c", "email.length"],
  ["email", "not-an-address", "email.invalid"],
  ["email", "a b@example.com", "email.invalid"],
  ["email", `${"a".repeat(250)}@example.com`, "email.invalid"],
  ["emailConfirmation", "other@example.com", "email.mismatch"],
  ["password", undefined, "password.required"],
  ["password", "", "password.required"],
  ["password", "1234567", "password.length"],
  ["password", "1".repeat(65), "password.length"],
];

test.each(bad)("%s %j is refused with %s", async (path, value, code) => {
  const answer = await register(buildRegistration({ [path]: value }));
  expect(answer.statusCode).toBe(422);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  expect(answer.json().errors).toContainEqual({ path, code, message: fieldWords[code] });
});

test.each(["abc", "a".repeat(25), "a-b-c", "abc9"])("the account name %s is accepted", async (accountName) => {
  expect((await register(buildRegistration({ accountName }))).statusCode).toBe(201);
});

test.each(["12345678", "1".repeat(64), "pässwörd", "😀".repeat(8)])("the password %s is accepted", async (password) => {
  expect((await register(buildRegistration({ password }))).statusCode).toBe(201);
});

test("every invalid field is reported at once, the confirmation included", async () => {
  const answer = await register({ fullName: "", accountName: "A", email: "nope@example.com", emailConfirmation: "x", password: "1" });
  expect(answer.json().errors.map((error: { path: string }) => error.path).sort()).toEqual(["accountName", "emailConfirmation", "fullName", "password"]);
});

test("a name and an address in use are refused, both named", async () => {
  const { form } = await registerSomebody(api);
  const answer = await register({ ...form, password: "another password" });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ code: "account_name_taken", errors: [{ path: "accountName", code: "account_name.taken" }, { path: "email", code: "email.taken" }] });
  const other = await register(buildRegistration({ email: String(form.email).toUpperCase(), emailConfirmation: form.email }));
  expect(other.json()).toMatchObject({ status: 409, code: "email_taken" });
});

test("a reserved name is refused as taken", async () => {
  expect((await register(buildRegistration({ accountName: "admin" }))).json()).toMatchObject({ status: 409, code: "account_name_taken" });
});

test("of two registrations of one name at the same moment, one wins", async () => {
  const [one, two] = [buildRegistration({ accountName: "race" }), buildRegistration({ accountName: "race" })];
  const codes = (await Promise.all([register(one), register(two)])).map((answer) => answer.statusCode);
  expect(codes.sort()).toEqual([201, 409]);
});

test("a password is kept as Argon2id and a session token as a hash", async () => {
  const { token, form } = await registerSomebody(api);
  const rows = await api.database.pool.query("select u.password_hash, s.token_hash from users u join sessions s on s.user_id = u.id where u.email = $1", [form.email]);
  expect(rows.rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(rows.rows[0].token_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(rows.rows[0].token_hash).not.toBe(token);
});
