/** The built panel: hashed assets for a year, the page itself never from a cache, unknown paths to the app's own 404. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "#platform/app-error.ts";
import { answerProblem } from "./answer-problem.ts";

/** Serves `folder`; without a build (the API alone) every page is 404. */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<void> {
  const built = existsSync(join(folder, "index.html"));
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(join(folder, "assets"));
        void reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  const page = (reply: FastifyReply) => reply.header("cache-control", "no-cache").sendFile("index.html");
  if (built) app.get("/", (_request, reply) => page(reply));
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = (request.method === "GET" || request.method === "HEAD") && !/\.[a-z0-9]{2,5}$/i.test(request.url.split("?")[0]!);
    return built && wantsPage ? page(reply) : answerProblem(new AppError("not_found"), request, reply);
  });
}
