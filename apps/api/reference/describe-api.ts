/** Serves the OpenAPI document at /api/openapi.json, made from the contract, and the reference page at /api/docs. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { requestedLanguage, type Language } from "#contract/accounts/language.ts";
import { knownOnce } from "#platform/loops/known-once.ts";
import { createBuiltPage } from "../pages/built-page.ts";
import { contentPolicy, type SecurityHeadersOptions } from "../security-headers.ts";
import type { ApiDocument } from "./api-document.ts";
import { typefacePath } from "./reference-style.ts";

const script = new URL("try-calls.js", import.meta.url);
/** The panel's typeface, from its package. */
const typeface = fileURLToPath(import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));
const yearSeconds = 31_536_000;

/** Register it before the routes that it describes. `panelUrl` is empty if the panel is on the same origin. */
export async function describeApi(api: FastifyInstance, options: SecurityHeadersOptions, panelUrl = ""): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Slipway API",
        version: "1",
        description: "Every API call of the panel. Errors are application/problem+json with a stable `code`.",
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
  const buildPage = (language: Language) =>
    knownOnce(async () => {
      // Its words and colours are loaded for the first reader.
      const { referencePage } = await import("./reference-page.ts");
      return createBuiltPage(Buffer.from(referencePage(api.swagger() as ApiDocument, await readFile(script, "utf8"), language, panelUrl)));
    });
  const pages = { en: buildPage("en"), de: buildPage("de") };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await pages[requestedLanguage(request.headers) ?? "en"]();
    return page.send(request, reply.header("content-security-policy", contentPolicy(options, page.inline)), "accept-language, cookie");
  };
  api.get("/docs", hidden, sendPage);
  api.get("/docs/", hidden, sendPage);
  const font = knownOnce(() => readFile(typeface));
  api.get(typefacePath, hidden, async (_request, reply) =>
    reply.headers({ "content-type": "font/woff2", "cache-control": `public, max-age=${yearSeconds}` }).send(await font()),
  );
}
