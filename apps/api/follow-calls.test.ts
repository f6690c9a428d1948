import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { createOtlpTracer } from "#platform/tracing/otlp-tracer.ts";
import { startCollector } from "#testing/network/start-collector.ts";
import { createTestApi } from "#testing/test-api.ts";

test("a call is traced once it reaches its handler, by its route, whatever trace its caller claims", async () => {
  await using collector = await startCollector();
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", undefined, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const tracer = createOtlpTracer({ endpoint: collector.url, headers: {} }, {}, log);
  await using api = await createTestApi({ tracer, log });
  const theirs = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "x".repeat(4_000) };
  expect((await api.call("POST", "/api/auth/login", { body: { login: "nobody", password: "wrong" }, headers: theirs })).statusCode).toBe(
    401,
  );
  // Refused before the handler: signed out, and not a route.
  expect((await api.call("GET", "/api/instance", { headers: theirs })).statusCode).toBe(401);
  expect((await api.call("GET", "/api/no/such/call", { headers: theirs })).statusCode).toBe(404);
  await tracer.close();
  const spans = collector.spans();
  expect(spans).toMatchObject([
    { name: "POST /api/auth/login", parentSpanId: "", failure: undefined, attributes: { "http.response.status_code": 401 } },
  ]);
  expect(spans[0]!.traceId).not.toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  // The handler's own line, which does not know its request, names it too.
  const own = lines.find(({ msg }) => msg === "a sign-in was refused")!;
  const answered = lines.find(({ msg, path }) => msg === "answered" && path === "/api/auth/login")!;
  expect(own).toMatchObject({ requestId: answered["requestId"], traceId: spans[0]!.traceId });
  expect(answered).toMatchObject({ requestId: expect.any(String), traceId: spans[0]!.traceId });
});
