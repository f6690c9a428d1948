/** Health for a process without the API: a supervisor asks workers and gateways as well. */
import fastify, { type FastifyInstance } from "fastify";
import { serveHealth } from "../api/serve-health.ts";

/** Answers /healthz and /readyz and nothing else. */
export async function buildHealth(checkReadiness: () => Promise<Record<string, boolean>>): Promise<FastifyInstance> {
  const app = fastify();
  serveHealth(app, checkReadiness);
  await app.ready();
  return app;
}
