/** Every call of the contract that needs a session checks it before anything else. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personHeader } from "#contract/api/person-header.ts";
import { routes } from "#contract/routes.ts";
import { sessionMark } from "#platform/http/session-cookie.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi({ timeTravel: null })));
afterAll(() => api[Symbol.asyncDispose]());

/** Without `moveClock` and similar calls, which are not mounted here. */
const needSession = Object.entries(routes).filter(([, { auth, path }]) => auth === "session" && !path.startsWith("/dev/"));

const malformed: [what: string, headers: Record<string, string>, payload: string][] = [
  ["no JSON", { "content-type": "application/json" }, '{"'],
  ["another type", { "content-type": "text/plain" }, "hello"],
  ["the wrong shape", { "content-type": "application/json" }, '{"nothing":"that fits"}'],
  ["too much", { "content-type": "application/json" }, `"${"x".repeat(300 * 1024)}"`],
  ["a value that cannot be stored", { "content-type": "application/json" }, '{"a":"\\u0000"}'],
];

describe.each(needSession)("%s", (_name, { method, path }) => {
  test("answers 401 without a session and with an ended one, whatever is sent", async () => {
    const url = `/api${path.replace(/:\w+/g, "not-an-id")}?unknown=%00`;
    for (const [what, headers, payload] of malformed) {
      const send = method === "GET" || method === "HEAD" ? {} : { payload };
      for (const [cookie, code] of [
        [undefined, "signed_out"],
        [`${api.services.cookie.name}=of-yesterday`, "session_expired"],
      ] as const) {
        const answer = await api.app.inject({
          method,
          url,
          headers: {
            origin: "http://localhost:3000",
            host: "localhost:3000",
            ...(method === "GET" || method === "HEAD" ? {} : headers),
            ...(cookie ? { cookie } : {}),
          },
          ...send,
        });
        expect([answer.statusCode, method === "HEAD" ? code : answer.json().code], what).toEqual([401, code]);
      }
    }
  });
});

test("a flood without a session, or with made-up ones, reaches the rate limit before any lookup", async () => {
  let lookedUp = 0;
  const limited = await createTestApi({ callsPerMinute: 20, findCurrentUser: () => Promise.resolve(((lookedUp += 1), null)) });
  for (const [address, headers] of [
    ["192.0.2.1", {}],
    ["192.0.2.2", { authorization: "Bearer made-up" }],
  ] satisfies [string, Record<string, string>][]) {
    const statuses: number[] = [];
    for (let calls = 0; calls < 25; calls += 1) statuses.push((await limited.call("GET", "/api/auth/me", { headers, address })).statusCode);
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
  }
  expect(lookedUp).toBe(20);
  await limited[Symbol.asyncDispose]();
});

test("a refused session cookie and its mark are removed by the response; a bearer token changes no cookie", async () => {
  const refused = await api.call("GET", "/api/auth/me", { token: "of-yesterday" });
  expect(refused.cookies.map(({ name, value, maxAge, expires }) => [name, value, maxAge ?? expires?.getTime()])).toEqual([
    ["token", "", 0],
    [sessionMark, "", 0],
  ]);
  expect((await api.call("GET", "/api/auth/me", { headers: { authorization: "Bearer of-yesterday" } })).cookies).toEqual([]);
  expect((await api.call("GET", "/api/auth/me")).cookies).toEqual([]);
});

test("a late call does not remove the cookie that has replaced its own", async () => {
  const { form, token } = await registerConfirmed(api);
  const typed = await api.call("POST", "/api/auth/confirm-password", { token, body: { password: form.password } });
  expect(typed.cookies[0]).toMatchObject({ name: "token", value: expect.stringMatching(/./) });
  const late = await api.call("GET", "/api/account/members", { token });
  expect([late.statusCode, late.json().code, late.cookies]).toEqual([401, "session_expired", []]);
});

test("the session mark is readable by scripts, contains nothing else and ends with the session", async () => {
  const { form, token } = await registerSomebody(api);
  const opened = await api.call("POST", "/api/auth/login", { body: { login: form.email, password: form.password } });
  expect(opened.cookies[0]).toMatchObject({ name: "token", httpOnly: true });
  expect(opened.cookies[1]).toMatchObject({ name: sessionMark, value: "1", sameSite: "Lax", path: "/" });
  expect(opened.cookies[1]).not.toHaveProperty("httpOnly");
  const closed = await api.call("GET", "/api/auth/logout", { token });
  expect(closed.cookies.map(({ name, value }) => [name, value])).toEqual([
    ["token", ""],
    [sessionMark, ""],
  ]);
});

test("a call from a page of one user is refused after another user has signed in", async () => {
  const [ada, bob] = [await registerConfirmed(api), await registerConfirmed(api)];
  const idOf = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).json().user.id as string;
  const [adasId, bobsId] = [await idOf(ada.token), await idOf(bob.token)];
  const skip = (person: string) =>
    api.call("POST", "/api/account/onboarding/skip", { token: bob.token, body: { step: "survey" }, headers: { [personHeader]: person } });
  const refused = await skip(adasId);
  expect(refused.json()).toMatchObject({ status: 409, code: "other_person" });
  expect(refused.cookies).toEqual([]);
  expect((await skip(bobsId)).statusCode).toBeLessThan(300);
});
