/** What is exported, and what a collector that hangs or refuses costs. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { trace } from "@opentelemetry/api";
import { expect, onTestFinished, test, vi } from "vitest";
import { startCollector } from "#testing/network/start-collector.ts";
import { createLog } from "../log.ts";
import { asWork } from "./current-work.ts";
import type { TracesSetting } from "./export-spans.ts";
import { createOtlpTracer } from "./otlp-tracer.ts";
import type { Tracer } from "./tracer.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function tracerTo(endpoint: string, lines: string[] = [], more: Partial<TracesSetting> = {}): Tracer {
  const log = createLog("info", undefined, { write: (line) => void lines.push(line) });
  const tracer = createOtlpTracer({ endpoint, headers: {}, ...more }, { "slipway.roles": "api" }, log);
  onTestFinished(() => tracer.close());
  return tracer;
}

test("spans reach the collector with their parents, failures and the attributes of the process", async () => {
  await using collector = await startCollector();
  const tracer = tracerTo(collector.url);
  const call = tracer.begin("POST /api/things", { "http.route": "/api/things" }, 250)!;
  const pass = tracer.resume(call.traceparent, "reconcile")!;
  const part = pass.child("start");
  part.end("start-failed");
  pass.set({ "slipway.result": "failed" });
  pass.end();
  call.end();
  await tracer.close();
  const spans = collector.traceOf("POST /api/things");
  expect(spans.map(({ name, parentSpanId, failure }) => [name, parentSpanId, failure])).toEqual([
    ["start", spans[1]!.spanId, "start-failed"],
    ["reconcile", spans[2]!.spanId, undefined],
    ["POST /api/things", "", undefined],
  ]);
  expect(spans[1]!.attributes).toEqual({ "slipway.result": "failed" });
  expect(spans[0]!.resource).toMatchObject({ "service.name": "slipway", "slipway.roles": "api" });
  expect(collector.asked[0]).toMatchObject({ method: "POST", path: "/v1/traces" });
  const [sent] = (JSON.parse(collector.asked[0]!.body) as { resourceSpans: { scopeSpans: { spans: Record<string, string>[] }[] }[] })
    .resourceSpans;
  const [startSpan, , callSpan] = sent!.scopeSpans[0]!.spans;
  const nanoseconds = (time: string | undefined) => BigInt(time!);
  const lasted = nanoseconds(callSpan!["endTimeUnixNano"]) - nanoseconds(callSpan!["startTimeUnixNano"]);
  expect(lasted).toBeGreaterThanOrEqual(250_000_000n);
  expect(lasted).toBeLessThan(60_000_000_000n);
  expect(nanoseconds(startSpan!["startTimeUnixNano"])).toBeGreaterThan(nanoseconds(callSpan!["startTimeUnixNano"]));
});

test("a short span without parts is left out, a short one with parts is not", async () => {
  await using collector = await startCollector();
  const tracer = tracerTo(collector.url);
  const pass = tracer.begin("pass")!;
  pass.child("nothing to do").endUnlessShort(1_000);
  const step = pass.child("step");
  step.child("call").end();
  step.endUnlessShort(1_000);
  pass.end();
  await tracer.close();
  expect(collector.spans().map(({ name }) => name)).toEqual(["call", "step", "pass"]);
});

test("a flood of one kind of call begins few traces and takes none from other kinds", async () => {
  await using collector = await startCollector();
  const tracer = tracerTo(collector.url);
  const begun = Array.from({ length: 5_000 }, () => tracer.begin("GET /api/me")).filter((span) => span !== null);
  expect(begun.length).toBeGreaterThanOrEqual(5);
  expect(begun.length).toBeLessThan(50);
  expect(tracer.begin("POST /api/account/setup")).not.toBeNull();
});

test.each([
  ["", "nothing"],
  ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", "not sampled"],
  ["01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "another version"],
  ["00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", "capitals"],
  ["00-00000000000000000000000000000000-00f067aa0ba902b7-01", "no trace"],
  ["00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", "no span"],
  ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", "more"],
  [`00-${"4".repeat(100_000)}-00f067aa0ba902b7-01`, "a long one"],
])("the traceparent %.60s (%s) is not continued", (text) => {
  expect(tracerTo("http://127.0.0.1:9").resume(text, "reconcile")).toBeNull();
});

/** As many spans as a large service makes in hours. */
function makeSpans(tracer: Tracer, times: number): void {
  const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  for (let n = 0; n < times; n += 1) tracer.resume(trace, "reconcile", { "slipway.workspace.id": `workspace ${n}` })!.end();
}

/** The address of a collector that keeps nothing, as its memory is the test's. */
async function startBareCollector(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const trickle = (response: ServerResponse): void => {
  const timer = setInterval(() => response.write(" "), 100);
  response.writeHead(200).once("close", () => clearInterval(timer));
};

test.each([
  ["hangs", () => undefined],
  ["answers a byte now and then", trickle],
  ["refuses", (response: ServerResponse) => void response.writeHead(503).end()],
])("a collector that %s costs neither time nor memory, and the log says so once", async (_how, answer) => {
  const lines: string[] = [];
  const tracer = tracerTo(await startBareCollector(answer), lines);
  makeSpans(tracer, 3_000);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const from = process.cpuUsage();
  for (let round = 0; round < 10; round += 1) {
    makeSpans(tracer, 3_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // 30,000 spans, of which those for which there is no room are dropped.
  expect(process.cpuUsage(from).user / 1_000).toBeLessThan(10_000);
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / 1024 ** 2).toBeLessThan(10);
  // Timers fire in their order, however late they are.
  const late = delay(4_000, "late", { ref: false });
  expect(await Promise.race([tracer.close(), late])).toBeUndefined();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("traces could not be exported and are dropped");
});

test("an absent collector costs one line in the log, which belongs to no call", async () => {
  const gone = await startCollector();
  await gone[Symbol.asyncDispose]();
  const lines: string[] = [];
  const tracer = tracerTo(gone.url, lines);
  for (let times = 0; times < 3; times += 1) {
    asWork({ requestId: "a-call" }, null, () => makeSpans(tracer, 600));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await tracer.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("ECONNREFUSED");
  expect(lines[0]).not.toContain("a-call");
});

test("the key, the name of the service and the spans reach a collector compressed", async () => {
  const came = Promise.withResolvers<{ request: IncomingMessage; body: Buffer }>();
  const url = await startBareCollector((response, request) => {
    void buffer(request).then((body) => {
      response.end("{}");
      came.resolve({ request, body });
    });
  });
  const tracer = tracerTo(url, [], {
    headers: { authorization: "Bearer a key" },
    compression: "gzip",
    resource: { "service.name": "slipway-staging", "deployment.environment.name": "staging" },
  });
  makeSpans(tracer, 500);
  await tracer.close();
  const { request, body } = await came.promise;
  expect(request.headers).toMatchObject({ authorization: "Bearer a key", "content-encoding": "gzip" });
  const text = gunzipSync(body).toString();
  expect(text.length / body.length).toBeGreaterThan(5);
  for (const said of ["slipway-staging", "staging", "workspace 499"]) expect(text).toContain(`{"stringValue":"${said}"}`);
});

test("spans that a collector refuses permanently are dropped, and the log has its answer", async () => {
  const lines: string[] = [];
  const tracer = tracerTo(await startBareCollector((response) => void response.writeHead(401).end("no such key")), lines);
  makeSpans(tracer, 1);
  await tracer.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"reason":"the collector answered 401"');
});

test("spans that a busy collector refuses are sent again", async () => {
  let asked = 0;
  await using collector = await startCollector((response) => void response.writeHead((asked += 1) === 1 ? 503 : 200).end("{}"));
  const lines: string[] = [];
  const tracer = tracerTo(collector.url, lines);
  makeSpans(tracer, 1);
  // By themselves: at its end, a tracer waits for only so long.
  await expect.poll(() => collector.asked.length).toBe(2);
  await tracer.close();
  expect(collector.asked.map(({ body }) => body)).toEqual([collector.asked[0]!.body, collector.asked[0]!.body]);
  expect(lines).toEqual([]);
});

test("a collector that accepts spans and answers in an unknown format has dropped none", async () => {
  const lines: string[] = [];
  const tracer = tracerTo(await startBareCollector((response) => void response.writeHead(202).end("Accepted.")), lines);
  makeSpans(tracer, 1);
  await tracer.close();
  expect(lines).toEqual([]);
});

test("a collector that rejects some spans is quoted in the log", async () => {
  const answer = JSON.stringify({ partialSuccess: { rejectedSpans: 3, errorMessage: "too old" } });
  const lines: string[] = [];
  const tracer = tracerTo(await startBareCollector((response) => void response.end(answer)), lines);
  makeSpans(tracer, 5);
  await tracer.close();
  expect(lines).toEqual([expect.stringContaining("too old")]);
});

test("an answer that never ends delays only its own batch, for five seconds", async () => {
  // Moved by hand: a slow machine is late for everything alike.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const [first, cut, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let asked = 0;
  const url = await startBareCollector((response) => {
    if ((asked += 1) > 1) {
      response.end("{}");
      return second.resolve();
    }
    response.once("close", cut.resolve);
    trickle(response);
    first.resolve();
  });
  const tracer = tracerTo(url);
  makeSpans(tracer, 600);
  await first.promise;
  vi.advanceTimersByTime(5_000);
  await cut.promise;
  // The next batch is due two seconds after the failure is noticed, whenever that is.
  const moving = setInterval(() => vi.isFakeTimers() && vi.advanceTimersByTime(100), 10);
  onTestFinished(() => clearInterval(moving));
  await second.promise;
  clearInterval(moving);
  vi.useRealTimers();
});

test("packages with their own tracing record nothing: what they know about customers stays here", () => {
  tracerTo("http://127.0.0.1:9");
  expect(trace.getTracer("a database client").startSpan("select * from accounts").isRecording()).toBe(false);
});
