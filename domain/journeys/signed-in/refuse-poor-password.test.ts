/** Wherever a password is chosen, the same ones are refused, at the field, with no other effect; sign-in accepts any. */
import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { hashPassword } from "#domain/accounts/password.ts";
import { noChallenge } from "#domain/challenges/challenge.ts";
import { saveBillingDetails } from "#domain/invoices/invoice-store.ts";
import { passwordRanges } from "#domain/passwords/password-ranges.ts";
import { createLog } from "#platform/log.ts";
import { startRangeService, type RangeService } from "#testing/network/start-range-service.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

const leaked = "purple monkey dishwasher";
const good = "a brand new password";

let api: TestApi;
let service: RangeService;
let lines: string[];
beforeEach(async () => {
  lines = [];
  service = await startRangeService();
  const log = createLog(
    "trace",
    undefined,
    new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) }),
  );
  api = await createTestApi(({ clock, passwords }) =>
    Promise.resolve({
      log,
      challenge: { ...noChallenge, check: (answer) => Promise.resolve(answer === "wrong" ? "challenge.invalid" : null) },
      passwords: { ...passwords, breached: passwordRanges({ url: service.url, clock, log, withinMs: 60_000 }) },
    }),
  );
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const post = (path: string, body: object, token?: string) => api.call("POST", `/api/auth/${path}`, { body, ...(token ? { token } : {}) });
const refusal = (code: FieldCode) => ({
  status: 422,
  code: "validation_failed",
  errors: [{ path: "password", code, message: fieldMessage(code) }],
});
const rowsOf = async (table: "users" | "mails" | "audit_log") => (await api.database.pool.query(`select * from ${table} order by id`)).rows;
const world = async () => [await rowsOf("users"), await rowsOf("mails"), await rowsOf("audit_log")];
const resetToken = async (email: unknown) => {
  // The clock does not move between calls; the newest mail must be the newest.
  api.clock.advance(1);
  await post("forgot-password", { email });
  return new URL(await api.newestLink(email)).searchParams.get("token");
};

/** Ways to choose a password: each returns a function that tries one for the same user. */
const person = {
  fullName: "Grace Brewster Hopper",
  accountName: "cobol-works",
  email: "amazing@navy-yard.example",
  emailConfirmation: "amazing@navy-yard.example",
};
const ways: Record<string, () => Promise<(password: string) => ReturnType<typeof post>>> = {
  registering: () => Promise.resolve((password) => post("register", buildRegistration({ ...person, password }))),
  "choosing a new one by a mailed link": async () => {
    await registerSomebody(api, person);
    const token = await resetToken(person.email);
    return (password) => post("reset-password", { token, password });
  },
  "changing it in the panel": async () => {
    const { token, form } = await registerSomebody(api, person);
    return (password) => post("change-password", { currentPassword: form["password"], password }, token);
  },
};

const poor: [string, FieldCode][] = [
  ["password123", "password.common"],
  ["QwertyUiop", "password.common"],
  ["cobol-works", "password.own_words"],
  ["CobolWorks1!", "password.own_words"],
  ["amazing@navy-yard.example", "password.own_words"],
  ["@m4z1ng2024", "password.own_words"],
  ["GraceHopper", "password.own_words"],
  ["slipway1", "password.own_words"],
  ["n8n-2024!", "password.own_words"],
  ["NodeRed7", "password.own_words"],
  ["panel.operator.example", "password.own_words"],
  [leaked, "password.breached"],
];

test.each(Object.keys(ways))(
  "%s with a poor password is refused at the field and changes nothing; with a good one it works",
  async (way) => {
    service.leaked.add(leaked);
    const choose = await ways[way]!();
    const before = await world();
    for (const [password, code] of poor) expect((await choose(password)).json(), password).toMatchObject(refusal(code));
    expect(await world()).toEqual(before);
    expect((await choose("correct horse battery slipway")).statusCode).toBeLessThan(300);
  },
);

test("the name on the account's invoices counts as a personal word", async () => {
  const { token, form } = await registerSomebody(api, person);
  const { rows } = await api.database.pool.query("select account_id from users");
  await saveBillingDetails(
    api.database.db,
    rows[0].account_id,
    { name: "Eckert & Mauchly Corp.", vatId: "", line1: "", line2: "", postalCode: "", city: "", country: "US" },
    api.clock.now(),
  );
  expect((await post("change-password", { currentPassword: form["password"], password: "EckertMauchly1" }, token)).json()).toMatchObject(
    refusal("password.own_words"),
  );
  expect((await post("reset-password", { token: await resetToken(person.email), password: "mauchly1946" })).json()).toMatchObject(
    refusal("password.own_words"),
  );
});

test("other users' personal words do not count", async () => {
  await registerSomebody(api, person);
  expect((await post("register", buildRegistration({ password: "cobol-works" }))).statusCode).toBe(201);
});

test("a user with a poor password still signs in, confirms and can replace it", async () => {
  const { token, form } = await registerSomebody(api, person);
  service.leaked.add("password123");
  await api.database.pool.query("update users set password_hash = $1", [await hashPassword("password123")]);
  service.asked.length = 0;
  expect((await post("login", { login: form["email"], password: "password123" })).statusCode).toBe(200);
  const confirmed = await post("confirm-password", { password: "password123" }, token);
  const renewed = confirmed.cookies[0]!.value;
  expect((await post("change-email", { email: "other@example.com", password: "password123" }, renewed)).statusCode).toBe(204);
  expect(service.asked).toEqual([]);
  expect((await post("change-password", { currentPassword: "password123", password: good }, renewed)).statusCode).toBe(204);
});

test("the outside service is asked only after all other checks", async () => {
  const { token, form } = await registerSomebody(api, person);
  service.asked.length = 0;
  const inVain: [string, object, string?][] = [
    ["register", buildRegistration({ password: good, email: "nope" })],
    ["register", buildRegistration({ password: good, challenge: "wrong" })],
    ["register", { ...form, password: good }],
    ["register", buildRegistration({ password: good, accountName: "admin" })],
    ["register", buildRegistration({ password: "password123" })],
    ["register", buildRegistration({ password: "slipway1" })],
    ["reset-password", { token: "made-up", password: good }],
    ["change-password", { currentPassword: "wrong", password: good }, token],
    ["change-password", { currentPassword: form["password"], password: good }],
  ];
  for (const [path, body, session] of inVain)
    expect((await post(path, body, session)).statusCode, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  expect(service.asked).toEqual([]);
});

test("an invented link or a stolen session reveals none of the user's personal words", async () => {
  const { token } = await registerSomebody(api, person);
  const byLink = await Promise.all(
    ["cobol-works", "password123", good].map((password) => post("reset-password", { token: "made-up", password })),
  );
  expect(byLink.map((answer) => answer.json().code)).toEqual(["password_link_invalid", "password_link_invalid", "password_link_invalid"]);
  const bySession = [];
  for (const password of ["cobol-works", "password123", good])
    bySession.push(await post("change-password", { currentPassword: "wrong", password }, token));
  expect(bySession.map((answer) => answer.json().code)).toEqual(["wrong_password", "wrong_password", "wrong_password"]);
});

test("while the outside service is down every password passes it, and the log says so once, without the password or its hash", async () => {
  service.leaked.add(leaked);
  service.answer = (response) => void response.writeHead(503).end();
  expect((await post("register", buildRegistration({ password: leaked }))).statusCode).toBe(201);
  expect((await post("register", buildRegistration({ password: leaked }))).statusCode).toBe(201);
  expect(lines.filter((line) => JSON.parse(line).level >= 40).map((line) => JSON.parse(line).msg)).toEqual([
    "passwords are currently not checked against known leaks",
  ]);
  const hash = createHash("sha1").update(leaked).digest("hex").toUpperCase();
  for (const secret of [leaked, hash.slice(0, 5), hash.slice(5, 15)])
    expect(lines.join("").toUpperCase()).not.toContain(secret.toUpperCase());
});
