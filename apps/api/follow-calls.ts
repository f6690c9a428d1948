/** Names the call in every log line of its handler and, with tracing, begins a trace with it. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { streamBegan } from "#platform/http/stream-events.ts";
import { asWork } from "#platform/tracing/current-work.ts";
import type { Span, Tracer } from "#platform/tracing/tracer.ts";

/**
 * Only calls that reach their handler are traced, after rate limits, sign-in and reading the body: a call refused earlier leaves a line in
 * the log. Returns a function that finds a call's trace; its result is undefined if the call has none.
 */
export function followCalls(app: FastifyInstance, tracer: Tracer | null): (request: FastifyRequest) => string | undefined {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("preHandler", (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url;
    // Pages, their files and health checks are not traced.
    const span =
      tracer && route?.startsWith("/api/")
        ? tracer.begin(`${method} ${route}`, { "http.request.method": method, "http.route": route }, reply.elapsedTime)
        : null;
    if (span) {
      spans.set(request, span);
      const end = (): void => {
        span.set({ "http.response.status_code": reply.raw.statusCode });
        span.end(reply.raw.statusCode >= 500 ? String(reply.raw.statusCode) : undefined);
      };
      // An event stream stays open for as long as its reader wants.
      reply.raw.once("close", end).once(streamBegan, end);
    }
    asWork({ requestId: request.id }, span, done);
  });
  return (request) => spans.get(request)?.traceId;
}
