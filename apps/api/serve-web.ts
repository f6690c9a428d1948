/** The built panel: hashed assets for a year, the page itself never from a cache, unknown paths to the app's own 404. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#platform/app-error.ts";
import { answerProblem } from "./answer-problem.ts";
import { readBuiltPage } from "./built-page.ts";
import { contentPolicy, type SecurityHeadersOptions } from "./security-headers.ts";

/** Serves `folder`; without a build (the API alone) every page is 404. */
export async function serveWeb(app: FastifyInstance, folder: string, options: SecurityHeadersOptions): Promise<void> {
  const sendPage = existsSync(join(folder, "index.html")) ? await serveBuild(app, folder, options) : undefined;
  if (sendPage) app.get("/", sendPage);
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = (request.method === "GET" || request.method === "HEAD") && !/\.[a-z0-9]{2,5}$/i.test(request.url.split("?")[0]!);
    return sendPage && wantsPage ? sendPage(request, reply) : answerProblem(new AppError("not_found"), request, reply);
  });
}

async function serveBuild(app: FastifyInstance, folder: string, options: SecurityHeadersOptions) {
  const page = await readBuiltPage(join(folder, "index.html"));
  const policy = contentPolicy(options, page.inline);
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // The page has a policy of its own, and is sent from what was read with it.
    globIgnore: ["index.html*"],
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, "assets"));
      void reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  return (request: FastifyRequest, reply: FastifyReply) => page.send(request, reply.header("content-security-policy", policy));
}
