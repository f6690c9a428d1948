/** A launch as one trace, from the call in one process to the workspace's process in another; and the cost of tracing when it is off. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { startCollector } from "#testing/network/start-collector.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const theirs = "4bf92f3577b34da6a3ce929d0e0e4736";

const linesOf = (slipway: Slipway): Record<string, unknown>[] =>
  slipway
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("a launch is one trace through api, row, worker, driver and engine, and every line in the log names it", async () => {
  await using collector = await startCollector();
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: "one key for all of these processes",
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20a%20key",
  };
  const start = async (more: Record<string, string>): Promise<Slipway> => {
    const slipway = await startSlipway({ env: { ...env, ...more } });
    onTestFinished(() => slipway.close());
    return slipway;
  };
  const api = await start({ ROLES: "api,gateway" });
  const worker = await start({ ROLES: "worker", PUBLIC_URL: api.url });
  const customer = await api.register();
  await api.confirm(customer);
  const headers = { traceparent: `00-${theirs}-00f067aa0ba902b7-01` };
  const setUp = { token: customer.token, body: { timezone: "Etc/UTC" }, headers };
  expect((await api.call("POST", "/api/account/setup", setUp)).status).toBe(202);
  await api.until(customer, ({ status }) => status === instanceStatus.online);
  await expect.poll(async () => (await database.pool.query("select traceparent from workspaces")).rows).toEqual([{ traceparent: null }]);
  // Sent every two seconds; a program that ends waits no longer than that for the collector.
  const arrived = () => {
    const passes = new Set(collector.spans().map(({ spanId }) => spanId));
    return collector.spans().some(({ name, parentSpanId }) => name === "mark-online" && passes.has(parentSpanId));
  };
  await expect.poll(arrived).toBe(true);
  await Promise.all([api.signal("SIGTERM"), worker.signal("SIGTERM")]);

  const spans = collector.traceOf("POST /api/account/setup");
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [call] = named("POST /api/account/setup");
  expect(call).toMatchObject({ attributes: { "http.response.status_code": 202 }, resource: { "slipway.roles": "api,gateway" } });
  const passes = named("reconcile");
  expect(passes.length).toBeGreaterThan(0);
  for (const pass of passes) expect(pass).toMatchObject({ parentSpanId: call!.spanId, resource: { "slipway.roles": "worker" } });
  const passIds = passes.map(({ spanId }) => spanId);
  const [step] = named("start");
  expect(passIds).toContain(step!.parentSpanId);
  expect(named("driver: start")[0]).toMatchObject({ parentSpanId: step!.spanId });
  expect(passIds).toContain(named("mark-online")[0]!.parentSpanId);
  expect(named("n8n: health").length).toBeGreaterThan(0);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter((span) => span !== call && !ids.has(span.parentSpanId))).toEqual([]);
  // The mail of the registration is part of that call's trace.
  expect(collector.traceOf("POST /api/auth/register").map(({ name }) => name)).toContain("mail");

  // A trace header sent by a stranger is neither continued nor repeated.
  const sent = collector.asked.map(({ body }) => body).join("\n");
  for (const secret of [theirs, customer.email, customer.accountName, customer.token, "Bearer"]) expect(sent).not.toContain(secret);

  const { traceId } = call!;
  const answered = linesOf(api).find(({ path, msg }) => msg === "answered" && path === "/api/account/setup")!;
  expect(answered).toMatchObject({ traceId, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const started = linesOf(worker).find(({ msg }) => msg === "a workspace's process started")!;
  expect(started).toMatchObject({ traceId, workspaceId: passes[0]!.attributes["slipway.workspace.id"] });
});

/** Runs the script in a separate process; resolves with the modules that export traces, of those that it loaded. */
async function loadedBy(script: string): Promise<string[]> {
  const hooks = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (/tracing.(otlp|export)|opentelemetry.(sdk|otlp|exporter|resources|core)/.test(url) && loaded.push(url), next(url, context)) });
    ${script}
    process.stdout.write(JSON.stringify(loaded));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", hooks], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as string[];
}

const moduleAt = (path: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

test("without an endpoint nothing that exports traces is loaded", async () => {
  expect(await loadedBy(`await import(${moduleAt("start-program.ts")});`)).toEqual([]);
  // The list would contain it.
  const loaded = await loadedBy(`await import(${moduleAt("../../platform/tracing/otlp-tracer.ts")});`);
  expect(loaded.filter((url) => url.includes("@opentelemetry/exporter-trace-otlp-http")).length).toBeGreaterThan(0);
});
