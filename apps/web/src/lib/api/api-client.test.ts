import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asker } from "./asker.ts";
import { callApi, whenPasswordNeeded, whenSignedOut } from "./api-client.ts";
import { calls } from "./calls.ts";
import { panelCalls } from "./panel-calls.ts";
import { routes } from "#contract/routes.ts";

let answer: RequestListener;
const server = createServer((request, response) => answer(request, response));
const { fetch: originalFetch } = globalThis;

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // The panel's addresses are relative to its own page; here the page is this server.
  globalThis.fetch = (input, init) => originalFetch(new URL(String(input), `http://127.0.0.1:${port}`), init);
});
afterEach(async () => {
  globalThis.fetch = originalFetch;
  whenSignedOut(() => {});
  whenPasswordNeeded(() => Promise.resolve(false));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const refuse =
  (status: number, problem: object): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));

test("every call of the contract has its method and path here", () => {
  const listed = Object.fromEntries(Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }]));
  expect({ ...calls, ...panelCalls }).toEqual(listed);
});

test("a call sends its body and returns the response", async () => {
  const seen: string[] = [];
  answer = (request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => seen.push(`${request.method} ${request.url} ${text}`));
    request.on("end", () => response.end(JSON.stringify({ email: "ada@example.com", alreadyConfirmed: false })));
  };
  expect(await callApi("confirmEmail", { body: { token: "secret" } })).toEqual({ email: "ada@example.com", alreadyConfirmed: false });
  expect(seen).toEqual(['POST /api/auth/confirm-email {"token":"secret"}']);
});

test("unset query parameters are not sent", async () => {
  const seen: (string | undefined)[] = [];
  answer = (request, response) => {
    seen.push(request.url);
    response.end('{"url":"http://ada.localhost"}');
  };
  await callApi("getInstanceUrl");
  await callApi("getInstanceUrl", { query: { path: "/templates/1/setup" } });
  expect(seen).toEqual(["/api/instance/url", "/api/instance/url?path=%2Ftemplates%2F1%2Fsetup"]);
});

test("a refusal carries its code, its fields and its waiting time", async () => {
  const errors = [{ path: "email", code: "email.taken", message: "taken" }];
  answer = refuse(429, { code: "too_many_requests", title: "Too many", errors, retryAfterSeconds: 30, requestId: "r1" });
  const expected = { code: "too_many_requests", status: 429, fields: errors, retryAfterSeconds: 30, requestId: "r1" };
  await expect(callApi("resendConfirmation")).rejects.toMatchObject(expected);
});

test("an answer that is not from the API is not a refusal", async () => {
  answer = (_request, response) => response.writeHead(502).end("<h1>Bad gateway</h1>");
  await expect(callApi("me")).rejects.toMatchObject({ code: "unavailable", status: 502 });
  answer = (_request, response) => response.end("<html>");
  await expect(callApi("me")).rejects.toMatchObject({ code: "unreadable" });
});

test("a service that does not answer is unreachable", async () => {
  answer = (request) => request.socket.destroy();
  await expect(callApi("me")).rejects.toMatchObject({ code: "unreachable", status: 0 });
});

test("a service that stays silent is given up after a minute, even in the middle of its answer", async () => {
  const { timeout } = AbortSignal;
  const limits: number[] = [];
  AbortSignal.timeout = (ms) => (limits.push(ms), timeout(100));
  try {
    answer = () => {};
    await expect(callApi("getInstance")).rejects.toMatchObject({ code: "timed_out", status: 0 });
    answer = (_request, response) => void response.writeHead(200).write('{"url":');
    await expect(callApi("getInstanceUrl")).rejects.toMatchObject({ code: "timed_out" });
  } finally {
    AbortSignal.timeout = timeout;
  }
  expect(limits).toEqual([60_000, 60_000]);
});

test.each(["before its head", "before its body"])(
  "an answer from before a change is requested again if the change ends %s",
  async (when) => {
    let timezone = "Etc/UTC";
    let reads = 0;
    let finish = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = (request, response) => {
        if (request.method !== "GET") {
          timezone = "Europe/Berlin";
          return response.end(JSON.stringify({ timezone }));
        }
        const text = JSON.stringify({ timezone });
        if (++reads > 1) return response.end(text);
        if (when === "before its body") response.writeHead(200).write(" ");
        finish = () => response.end(text);
        resolve();
      };
    });
    const read = callApi("getInstance");
    await isHeld;
    expect(await callApi("restartInstance")).toEqual({ timezone: "Europe/Berlin" });
    finish();
    expect([await read, reads]).toEqual([{ timezone: "Europe/Berlin" }, 2]);
    await callApi("getInstance");
    expect(reads).toBe(3);
  },
);

test("an answer from before a sign-out is not requested again", async () => {
  let reads = 0;
  let finish = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = (request, response) => {
      if (request.url?.endsWith("/auth/logout")) return response.writeHead(204).end();
      reads += 1;
      finish = () => response.end("{}");
      resolve();
    };
  });
  const read = callApi("getInstance");
  await isHeld;
  await callApi("logOut");
  asker.change(null);
  finish();
  await read;
  expect(reads).toBe(1);
});

test("a save that is answered after its user signed out is not passed to the next user's page", async () => {
  let finish = () => {};
  const isHeld = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      finish = () => response.end('{"details":{"name":"Ada Lovelace"},"revision":"1"}');
      resolve();
    };
  });
  const details = { name: "Ada Lovelace", line1: "", line2: "", postalCode: "", city: "", country: "GB", vatId: "" };
  asker.change("ada");
  const said = callApi("saveBillingDetails", { body: details }).catch((error: unknown) => error);
  await isHeld;
  asker.change(null);
  asker.change("bob");
  finish();
  expect(await said).toMatchObject({ code: "signed_out" });
  asker.change(null);
});

test("the listener is told of an ended session, not of a wrong password", async () => {
  const heard: string[] = [];
  whenSignedOut((error) => heard.push(error.code));
  answer = refuse(401, { code: "session_expired", title: "Session expired" });
  await expect(callApi("getInstance")).rejects.toMatchObject({ code: "session_expired" });
  answer = refuse(401, { code: "invalid_credentials", title: "no" });
  await expect(callApi("logIn", { body: { login: "ada", password: "x" } })).rejects.toMatchObject({ code: "invalid_credentials" });
  expect(heard).toEqual(["session_expired"]);
});

test("a call whose cookie was replaced before it arrived is repeated without ending the session; after a second refusal it is not", async () => {
  const heard: string[] = [];
  const seen: (string | undefined)[] = [];
  let isReplaced = true;
  whenSignedOut((error) => heard.push(error.code));
  answer = (request, response) => {
    seen.push(request.url);
    if (request.url === "/api/auth/me") return response.end(JSON.stringify({ user: { id: "1" } }));
    if (isReplaced && seen.length > 2) return response.end(JSON.stringify({ url: "https://ada.example" }));
    refuse(401, { code: "session_expired", title: "Session expired" })(request, response);
  };
  expect(await callApi("getInstanceUrl")).toEqual({ url: "https://ada.example" });
  expect([heard, seen]).toEqual([[], ["/api/instance/url", "/api/auth/me", "/api/instance/url"]]);
  [isReplaced, seen.length] = [false, 0];
  await expect(callApi("getInstanceUrl")).rejects.toMatchObject({ code: "session_expired" });
  expect([heard, seen.length]).toEqual([["session_expired"], 3]);
});

test.each([true, false])("a call that needs the password is repeated unchanged once it was entered: %s", async (isTyped) => {
  const seen: string[] = [];
  answer = (request, response) => {
    seen.push(String(request.headers["idempotency-key"]));
    if (seen.length === 1) return refuse(403, { code: "password_needed", title: "Enter your password to continue." })(request, response);
    response.end(JSON.stringify({ user: { id: "1" }, url: null }));
  };
  whenPasswordNeeded(() => Promise.resolve(isTyped));
  const call = callApi("resubscribe", { body: {}, key: "one" });
  const outcome = await call.then(
    ({ url }) => ({ url }),
    ({ code }: { code: string }) => ({ code }),
  );
  expect(outcome).toEqual(isTyped ? { url: null } : { code: "password_needed" });
  expect(seen).toEqual(isTyped ? ["one", "one"] : ["one"]);
});

test("a check by HEAD has no body to read: 200 is a yes, and 404 an error with its status", async () => {
  answer = (request, response) => response.writeHead(request.method === "HEAD" ? 200 : 500).end();
  await expect(callApi("isBillingActive")).resolves.toBeUndefined();
  answer = (_request, response) => response.writeHead(404).end();
  await expect(callApi("isBillingActive")).rejects.toMatchObject({ status: 404 });
});
