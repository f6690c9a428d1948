/** GET /healthz: the process is up. GET /readyz: it can do its work; what cannot is named. */
import type { FastifyInstance } from "fastify";

export function serveHealth(app: FastifyInstance, checkReadiness: () => Promise<Record<string, boolean>>): void {
  app.get("/healthz", { logLevel: "warn" }, async () => ({ status: "up" }));
  app.get("/readyz", { logLevel: "warn" }, async (_request, reply) => {
    const checks = await checkReadiness();
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready", checks });
  });
}
