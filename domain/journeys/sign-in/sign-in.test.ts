import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const logIn = (login: unknown, password: unknown) => api.call("POST", "/api/auth/login", { body: { login, password } });

test("account name and email address both open a session, in any case", async () => {
  const { form } = await registerSomebody(api);
  for (const login of [form.accountName, form.email, String(form.email).toUpperCase(), ` ${form.email} `]) {
    const answer = await logIn(login, form.password);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().user.username).toBe(form.accountName);
  }
});

test("a wrong password and an unknown account get the same answer, in about the same time", async () => {
  const timed = async (login: unknown) => {
    const start = performance.now();
    const answer = await logIn(login, "not the password");
    const tookMs = performance.now() - start;
    expect(answer.json()).toMatchObject({
      status: 401,
      code: "invalid_credentials",
      title: "You entered an invalid sign in combination. Try again.",
    });
    return tookMs;
  };
  const quickest = { known: Infinity, unknown: Infinity };
  // Hashing takes 15 ms or more; a look-up without it takes one.
  const isSame = () => Math.abs(quickest.known - quickest.unknown) < Math.max(quickest.known, quickest.unknown) * 0.6;
  // New accounts each time, since a login has few attempts; the fastest of many, since a busy machine delays some.
  for (let round = 0; round < 8 || (round < 60 && !isSame()); round += 1) {
    const { form } = await registerSomebody(api);
    quickest.known = Math.min(quickest.known, await timed(form.email));
    quickest.unknown = Math.min(quickest.unknown, await timed(`nobody-${round}@example.com`));
  }
  expect(isSame(), JSON.stringify(quickest)).toBe(true);
});

test("an empty form names both fields", async () => {
  const answer = await logIn("", "");
  expect(answer.statusCode).toBe(422);
  expect(answer.json().errors.map((error: { code: string }) => error.code)).toEqual(["login.required", "password.required"]);
});

test("a bearer token works as the cookie does", async () => {
  const { token } = await registerSomebody(api);
  const ask = async (headers: Record<string, string>) => (await api.app.inject({ url: "/api/auth/me", headers })).statusCode;
  expect(await ask({ authorization: `Bearer ${token}` })).toBe(200);
  expect(await ask({ cookie: `token=${token}` })).toBe(200);
  expect(await ask({})).toBe(401);
});

test("a session whose browser has lost its marker cookie gets it again, and one that has it is left alone", async () => {
  const { token } = await registerSomebody(api);
  const ask = (cookie: string) => api.call("GET", "/api/auth/me", { headers: { cookie } });
  expect(String((await ask(`token=${token}`)).headers["set-cookie"])).toMatch(
    /^slipway-signed-in=1; Max-Age=2592000; Path=\/; SameSite=Lax$/,
  );
  expect((await ask(`token=${token}; slipway-signed-in=1`)).headers["set-cookie"]).toBeUndefined();
  expect((await api.call("GET", "/api/auth/me", { headers: { authorization: `Bearer ${token}` } })).headers["set-cookie"]).toBeUndefined();
});

test("signing out ends the session on the server", async () => {
  const { token } = await registerSomebody(api);
  const answer = await api.call("GET", "/api/auth/logout", { token });
  expect(answer.statusCode).toBe(204);
  expect(answer.cookies[0]).toMatchObject({ name: "token", value: "" });
  expect((await api.call("GET", "/api/auth/me", { token })).json()).toMatchObject({
    status: 401,
    code: "session_expired",
    error: "Session expired",
  });
});

test("a HEAD of signing out, as for a link's preview, signs no one out", async () => {
  const { token } = await registerSomebody(api);
  const answer = await api.call("HEAD", "/api/auth/logout", { token });
  expect(answer.statusCode).toBe(204);
  expect(answer.cookies).toEqual([]);
  expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(200);
});

test("an image, a script or a link in a workspace's page cannot sign anyone out", async () => {
  const { token } = await registerSomebody(api);
  for (const site of ["same-site", "cross-site"]) {
    // Followed links may read everything else.
    for (const mode of ["no-cors", "cors", "navigate"]) {
      // Browsers name no origin when they request an image or follow a link.
      for (const origin of [undefined, "null", "http://acme.localhost:3000"]) {
        const headers = { cookie: `token=${token}`, "sec-fetch-site": site, "sec-fetch-mode": mode, ...(origin && { origin }) };
        const answer = await api.app.inject({ method: "GET", url: "/api/auth/logout", headers });
        expect(answer.statusCode, `${mode} from ${site}, origin ${origin}`).toBe(403);
        expect(answer.json()).toMatchObject({ status: 403, code: "cross_origin" });
      }
    }
  }
  expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(200);
  expect((await api.call("GET", "/api/auth/logout", { token, headers: { "sec-fetch-site": "same-origin" } })).statusCode).toBe(204);
});

test("visitors are not told to log in; an invented token counts as expired", async () => {
  expect((await api.call("GET", "/api/auth/me")).json()).toMatchObject({ status: 401, code: "signed_out" });
  expect((await api.call("GET", "/api/auth/me", { token: "made-up" })).json()).toMatchObject({ status: 401, code: "session_expired" });
});

test("a call that changes something is refused from a workspace's page, which is same-site and sends the cookie", async () => {
  const { token, form } = await registerSomebody(api);
  for (const origin of ["http://acme.localhost:3000", "https://evil.example", "null", ""]) {
    const answer = await api.call("POST", "/api/auth/resend-confirmation", { token, headers: { origin } });
    expect(answer.json(), origin).toMatchObject({ status: 403, code: "cross_origin" });
  }
  const login = await api.call("POST", "/api/auth/login", {
    body: { login: form.email, password: form.password },
    headers: { origin: "http://acme.localhost:3000" },
  });
  expect(login.statusCode).toBe(403);
});
