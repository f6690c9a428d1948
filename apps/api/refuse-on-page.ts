/** An address that a browser opens as a page, such as the link to a file, shows its refusal in the panel instead of as JSON. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { problems } from "#contract/api/problem.ts";
import { refusedDownload } from "#contract/workspaces/refused-download.ts";
import { answerProblem, toAppError } from "./answer-problem.ts";

/** An error handler: programs get the problem; a browser that followed a link of such a call is led to the page with its code. */
export function refuseOnPage(publicUrl: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { refusedAt } = request.routeOptions.config;
    if (!refusedAt || !isFollowedLink(request)) return answerProblem(error, request, reply);
    const { code } = toAppError(error);
    const { status } = problems[code];
    request.log[status >= 500 ? "error" : "debug"]({ ...(status >= 500 ? { err: error } : {}), code }, "a followed link was refused");
    const page = new URL(refusedAt((request.query ?? {}) as Record<string, unknown>), publicUrl);
    // Who has to sign in first is asked by the page itself, and the link is not expired then.
    if (status !== 401) {
      page.searchParams.set(refusedDownload.code, code);
      page.searchParams.set(refusedDownload.requestId, request.id);
    }
    return reply.header("cache-control", "no-store").redirect(page.href, 303);
  };
}

/** Browsers say so; old ones only that they would like a page. */
function isFollowedLink({ method, headers }: FastifyRequest): boolean {
  if (method !== "GET") return false;
  const mode = headers["sec-fetch-mode"];
  return mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate";
}
