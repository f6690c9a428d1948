/** The three failure messages of the registration, each from the real API's answer when exactly that part fails. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { ApiError } from "../../../lib/api/api-error.ts";
import { refusal } from "../../../lib/api/api-client.ts";
import { registrationTitle } from "./registration-title.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

type Answer = Awaited<ReturnType<TestApi["call"]>>;
const titleOf = async (answer: Answer) =>
  registrationTitle(
    await refusal(
      new Response(answer.body, { status: answer.statusCode, headers: { "content-type": String(answer.headers["content-type"]) } }),
    ),
  ).title;

/** Takes a table away while `work` runs. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await api.database.pool.query(`alter table ${table} rename to ${table}_away`);
  return work().finally(() => api.database.pool.query(`alter table ${table}_away rename to ${table}`));
}

test("an unreachable service or an unexpected answer is shown as technical difficulties", async () => {
  expect(registrationTitle(new ApiError("unreachable", 0)).title).toBe("We are experiencing technical difficulties");
  expect(registrationTitle(await refusal(new Response("<h1>Bad gateway</h1>", { status: 502 }))).title).toBe(
    "We are experiencing technical difficulties",
  );
});

test("an account that cannot be created is an error setting up the account, and leaves nothing behind", async () => {
  const form = buildRegistration();
  expect(await titleOf(await without("mails", () => api.call("POST", "/api/auth/register", { body: form })))).toBe(
    "There was an error setting up your account",
  );
  expect((await api.call("POST", "/api/auth/register", { body: form })).statusCode).toBe(201);
});

test("a trial that cannot be started is an error setting up the trial, and leaves nothing behind", async () => {
  const { token } = await registerConfirmed(api);
  const setUp = () => api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  expect(await titleOf(await without("timers", setUp))).toBe("There was an error setting up your trial");
  expect((await api.call("GET", "/api/auth/me", { token })).json().user.account).toMatchObject({ isSetup: false, instance: null });
  expect((await setUp()).statusCode).toBe(202);
});

test("a visitor's mistake keeps its own words", async () => {
  const { form } = await registerConfirmed(api);
  expect(await titleOf(await api.call("POST", "/api/auth/register", { body: form }))).toBeUndefined();
});
