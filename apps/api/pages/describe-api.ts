/** Serves the OpenAPI document at /api/openapi.json, made from the contract, and the reference page at /api/docs. */
import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { createBuiltPage, type BuiltPage } from "./built-page.ts";
import { referencePage, type ApiDocument } from "./reference-page.ts";
import { contentPolicy, type SecurityHeadersOptions } from "../security-headers.ts";

/** Register it before the routes that it describes. */
export async function describeApi(api: FastifyInstance, options: SecurityHeadersOptions): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Slipway API",
        version: "1",
        description: "Every call of the panel. Errors are application/problem+json with a stable `code`.",
      },
      components: {
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: "token" },
          bearer: { type: "http", scheme: "bearer" },
        },
      },
    },
    transform: jsonSchemaTransform,
    // Without it the document would lack the schemas that calls refer to.
    transformObject: jsonSchemaTransformObject,
  });
  const hidden = { schema: { hide: true } as object };
  api.get("/openapi.json", hidden, async () => api.swagger());
  let built: Promise<BuiltPage> | undefined;
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await (built ??= createBuiltPage(Buffer.from(referencePage(api.swagger() as ApiDocument))));
    return page.send(request, reply.header("content-security-policy", contentPolicy(options, page.inline)));
  };
  api.get("/docs", hidden, sendPage);
  api.get("/docs/", hidden, sendPage);
}
