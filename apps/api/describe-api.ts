/** The OpenAPI document at /api/openapi.json, made from the contract, and its readable form at /api/docs. */
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";

/** Must be registered before the routes it describes. */
export async function describeApi(api: FastifyInstance): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Slipway API", version: "1", description: "Every call of the panel. Errors are application/problem+json with a stable `code`." },
      components: {
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: "token" },
          bearer: { type: "http", scheme: "bearer" },
        },
      },
    },
    transform: jsonSchemaTransform,
  });
  await api.register(swaggerUi, { routePrefix: "/docs", staticCSP: true, transformStaticCSP: neverFramed, uiConfig: { deepLinking: true, displayRequestDuration: true } });
  api.get("/openapi.json", { schema: { hide: true } as object }, async () => api.swagger());
}

/** The reference's own policy would let pages of the panel frame it; none does. */
const neverFramed = (policy: string): string => policy.replace("frame-ancestors 'self'", "frame-ancestors 'none'");
