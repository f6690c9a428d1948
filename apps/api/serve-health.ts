/**
 * GET /healthz: the process is up. GET /readyz: it can do its work; failing checks are named. A gateway that serves workspaces from memory
 * can do so while the database is away, so it stays ready.
 */
import type { FastifyInstance } from "fastify";

/** For programs only: not to be cached, executed or framed. */
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Each check by its name. */
export type Readiness = Record<string, boolean>;
/** Listed, as true, only by a gateway whose database is away or has just come back, and which knows open workspaces. */
export const fromMemory = "served from memory";

/** Fails with the database, or because a loop waits for it; serving from memory needs none of them. */
const needsDatabase = (check: string): boolean => check === "database" || check === "migrated" || check.startsWith("loop: ");

export function isReady(checks: Readiness): boolean {
  return Object.entries(checks).every(([check, passes]) => passes || (checks[fromMemory] === true && needsDatabase(check)));
}

export function serveHealth(app: FastifyInstance, checkReadiness: () => Promise<Readiness>): void {
  app.get("/healthz", { logLevel: "warn" }, async (_request, reply) => reply.headers(headers).send({ status: "up" }));
  app.get("/readyz", { logLevel: "warn" }, async (_request, reply) => {
    const checks = await checkReadiness();
    const ready = isReady(checks);
    return reply
      .headers(headers)
      .code(ready ? 200 : 503)
      .send({ status: ready ? (checks[fromMemory] ? "ready, from memory" : "ready") : "not ready", checks });
  });
}
