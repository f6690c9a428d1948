/** CORS for a panel on another origin than its API: the panel's pages may call it and read its answers, and no others. */
import type { FastifyInstance } from "fastify";
import { personHeader } from "#contract/api/person-header.ts";

/** What the panel sends besides what any page may send. */
const requestHeaders = ["content-type", "idempotency-key", personHeader].join(", ");
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** What the panel, and whoever reads its network log, needs of an answer's headers. */
const readHeaders = "x-request-id, retry-after, content-disposition";
/** The longest that Chromium remembers it: a preflight costs a round trip. */
const preflightSeconds = 7200;

/** They never repeat the caller's origin: answers can be cached, and another page gets nothing. */
export const crossOriginHeaders = (panelOrigin: string): Record<string, string> => ({
  "access-control-allow-origin": panelOrigin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": readHeaders,
});

/** Sets the headers on every answer of the API, refusals included, and answers the panel's preflights. */
export function allowCrossOrigin(app: FastifyInstance, panelOrigin: string): void {
  const headers = crossOriginHeaders(panelOrigin);
  const preflight = {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": requestHeaders,
    "access-control-max-age": preflightSeconds,
  };
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.url.startsWith("/api/")) return done();
    void reply.headers(headers);
    const asked = request.headers["access-control-request-method"];
    // Those of other origins are refused like any of their calls.
    if (request.method !== "OPTIONS" || asked === undefined || request.headers.origin !== panelOrigin) return done();
    void reply.code(204).headers(preflight).send();
  });
}
