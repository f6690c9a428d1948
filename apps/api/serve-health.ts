/** GET /healthz: the process is up. GET /readyz: it can do its work; failing checks are named. */
import type { FastifyInstance } from "fastify";

/** For programs only: not to be cached, executed or framed. */
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

export function serveHealth(app: FastifyInstance, checkReadiness: () => Promise<Record<string, boolean>>): void {
  app.get("/healthz", { logLevel: "warn" }, async (_request, reply) => reply.headers(headers).send({ status: "up" }));
  app.get("/readyz", { logLevel: "warn" }, async (_request, reply) => {
    const checks = await checkReadiness();
    const ready = Object.values(checks).every(Boolean);
    return reply
      .headers(headers)
      .code(ready ? 200 : 503)
      .send({ status: ready ? "ready" : "not ready", checks });
  });
}
