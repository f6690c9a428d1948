import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startReconcileLoop } from "#apps/provisioner/reconcile/reconcile-loop.ts";
import { createTestApi, registerSomebody } from "#testing/test-api.ts";
import { AppError } from "./app-error.ts";
import { sentryReporter, type ErrorReporter } from "./error-reports.ts";
import { createLog } from "./log.ts";

interface Envelope {
  path: string;
  auth: string;
  body: string;
  event: {
    message: string;
    level: string;
    extra: Record<string, unknown>;
    exception: {
      values: { type: string; value: string; stacktrace?: { frames: { filename: string; function: string; in_app: boolean }[] } }[];
    };
  };
}

let sentry: Server;
let envelopes: Envelope[];
let status: number;
let troubles: unknown[];
let reporter: ErrorReporter;

beforeEach(async () => {
  [envelopes, troubles, status] = [[], [], 200];
  sentry = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      envelopes.push({
        path: request.url ?? "",
        auth: String(request.headers["x-sentry-auth"]),
        body,
        event: JSON.parse(body.split("\n")[2] ?? "{}"),
      });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((resolve) => sentry.listen(0, "127.0.0.1", resolve));
  const dsn = `http://publickey@127.0.0.1:${(sentry.address() as AddressInfo).port}/42`;
  reporter = sentryReporter(dsn, { environment: "test", note: (cause) => troubles.push(cause) });
});
afterEach(() => void sentry.close());

test("an unexpected error of the API arrives as an envelope, with its stack and the request's number", async () => {
  const log = createLog("silent", reporter);
  await using api = await createTestApi({
    log,
    findCurrentUser: () => Promise.reject(new TypeError("cannot read it", { cause: new Error("the disk is full") })),
  });
  const answer = await api.call("GET", "/api/auth/me", { token: "any" });
  expect(answer.statusCode).toBe(500);
  await reporter.flush();
  expect(envelopes).toHaveLength(1);
  const { path, auth, event } = envelopes[0]!;
  expect(path).toBe("/api/42/envelope/");
  expect(auth).toContain("sentry_key=publickey");
  expect(event).toMatchObject({ level: "error", message: "a request failed", extra: { requestId: answer.json().requestId } });
  expect(event.exception.values.map(({ type, value }) => `${type}: ${value}`)).toEqual([
    "Error: the disk is full",
    "TypeError: cannot read it",
  ]);
  expect(
    event.exception.values[1]!.stacktrace!.frames.some(({ filename, in_app: ours }) => ours && filename.endsWith("error-reports.test.ts")),
  ).toBe(true);
});

test("refusals are normal answers and are not reported", async () => {
  const log = createLog("silent", reporter);
  await using api = await createTestApi({ log });
  await registerSomebody(api);
  for (const path of ["/api/auth/me", "/api/nothing", "/api/instance"]) await api.call("GET", path);
  log.error({ err: new AppError("unavailable") }, "busy");
  log.warn({ err: new Error("a warning") }, "is no fault");
  await reporter.flush();
  expect(envelopes).toEqual([]);
});

test("an error of the reconciler arrives too", async () => {
  const log = createLog("silent", reporter);
  await using api = await createTestApi();
  await registerSomebody(api);
  await api.database.pool.query(`
    insert into workspaces (id, account_id, engine, desired_state, desired_version, timezone, memory_mb, secrets, reconcile_at, created_at, updated_at)
    select gen_random_uuid(), id, 'n8n', 'running', '1', 'Etc/UTC', 512, 'x', now() - interval '1 hour', now(), now() from accounts`);
  const broken = {
    log,
    clock: api.clock,
    get driver() {
      throw new Error("the driver is not there");
    },
  };
  const loop = startReconcileLoop(api.database.db, broken as never);
  await expect.poll(() => envelopes.length).toBeGreaterThan(0);
  await loop.stop();
  expect(envelopes[0]!.event.message).toMatch(/reconcile/);
});

test("secrets, addresses and query strings are not sent", async () => {
  const log = createLog("silent", reporter);
  const token = "Zk3v9Q2mT7xW1pL8sD4fG6hJ0kN5bV2cX9zA3qE7rTy";
  log.error(
    {
      err: new Error(`ada@example.com used ${token}`),
      password: "hunter2",
      headers: { cookie: `token=${token}` },
      url: `/confirm-email?token=${token}`,
    },
    `failed for ada@example.com`,
  );
  await reporter.flush();
  for (const secret of [token, "hunter2", "ada@example.com"]) expect(envelopes[0]!.body).not.toContain(secret);
  expect(envelopes[0]!.event.exception.values[0]!.value).toBe("[email] used [removed]");
});

test("without a DSN nothing is sent", async () => {
  createLog("silent").error({ err: new Error("quiet") }, "nobody hears");
  await reporter.flush();
  expect(envelopes).toEqual([]);
});

test("an error in a loop does not become a flood", async () => {
  const log = createLog("silent", reporter);
  for (let fault = 0; fault < 500; fault += 1) log.error({ err: new Error("again") }, "in a loop");
  await reporter.flush();
  expect(envelopes.length).toBeLessThanOrEqual(10);
});

test("a reporting service that is down or refuses is logged, and nothing else happens", async () => {
  status = 429;
  reporter.report(new Error("one"), "one", {});
  await reporter.flush();
  sentry.closeAllConnections();
  sentry.close();
  reporter.report(new Error("two"), "two", {});
  await reporter.flush();
  expect(troubles.map(String)).toEqual([expect.stringContaining("429"), expect.any(String)]);
});
