/** Mounts a call of the contract: its handler gets parsed input and returns the answer; the rest is the same for all. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { problem } from "#contract/problem.ts";
import type { RouteAnswer, RouteBody, RouteContract, RouteParams, RouteQuery } from "#contract/route.ts";
import { AppError } from "../app-error.ts";
import { Redirect } from "./redirect.ts";
import { refuseUnstorableText } from "./refuse-unstorable-text.ts";

/** Everything a handler may know of the request. */
export interface Call<Route extends RouteContract, SignedIn> {
  body: RouteBody<Route>;
  params: RouteParams<Route>;
  query: RouteQuery<Route>;
  /** Present on routes with `auth: "session"`. */
  signedIn: Route["auth"] extends "session" ? SignedIn : undefined;
  /** The caller's address, for limits and the audit log. */
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Handler<Route extends RouteContract, SignedIn> = (call: Call<Route, SignedIn>) => Promise<RouteAnswer<Route> | void>;

/** Calls a minute and address; a route without a limit has the API's general one. */
export interface MountOptions {
  perMinute?: number;
}

export type Mount<SignedIn> = <const Route extends RouteContract>(route: Route, handler: Handler<Route, SignedIn>, options?: MountOptions) => void;

/** Builds the mounting function of an API whose requests are authenticated by `authenticate` (null: nobody). */
export function createMount<SignedIn>(app: FastifyInstance, authenticate: (request: FastifyRequest) => Promise<SignedIn | null>): Mount<SignedIn> {
  return (route, handler, options = {}) => {
    app.route({
      method: route.method,
      url: route.path,
      schema: {
        summary: route.summary,
        tags: [route.tag],
        ...(route.body ? { body: route.body } : {}),
        ...(route.params ? { params: route.params } : {}),
        ...(route.query ? { querystring: route.query } : {}),
        response: {
          [route.success.status]: route.success.body ?? z.null(),
          default: problem.describe(`One of: ${["validation_failed", ...route.problems].join(", ")}`),
        },
        ...(route.auth === "session" ? { security: [{ session: [] }, { bearer: [] }] } : {}),
      },
      config: {
        ...(options.perMinute ? { rateLimit: { max: options.perMinute, timeWindow: "1 minute" } } : {}),
        // A HEAD that the contract names is a call of its own, and described like the others.
        ...(route.method === "HEAD" ? { swagger: { exposeHeadRoute: true } } : {}),
      },
      ...(route.body || route.params
        ? {
            preValidation: (request, _reply, done) => {
              refuseUnstorableText(request.params);
              refuseUnstorableText(request.body);
              done();
            },
          }
        : {}),
      handler: async (request, reply) => {
        const signedIn = route.auth === "session" ? await authenticate(request) : undefined;
        if (signedIn === null) throw new AppError("signed_out");
        const { body, params, query } = request;
        const answer = await handler({ body, params, query, signedIn, address: request.ip, request, reply } as never);
        if (reply.sent) return reply;
        if (answer instanceof Redirect) return reply.redirect(answer.url);
        return reply.code(route.success.status).send(answer ?? null);
      },
    });
  };
}
