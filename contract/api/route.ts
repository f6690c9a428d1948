/** The definition of a call, shared by the server that answers it, the panel that makes it, and the OpenAPI document. */
import type { z } from "zod";
import type { ProblemCode } from "./problem.ts";

export interface RouteContract {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the API base, with `:name` for path parameters. */
  path: `/${string}`;
  tag: string;
  summary: string;
  /** `session`: only with a live session. `none`: any caller. */
  auth: "none" | "session";
  body?: z.ZodType;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The one successful answer. `body: null` is an answer without a body; `stream` is server-sent events of that shape. */
  success: { status: 200 | 201 | 202 | 204; body: z.ZodType | null; stream?: boolean };
  /**
   * A GET that writes: a change of what the account has, or what its answer needs, such as a question that the workspace's worker answers. A
   * HEAD of it only finds out whether the GET would be refused (platform/http/mount.ts).
   */
  writes?: "change" | "question";
  /** The refusals specific to this call; those of every call (validation, rate, faults) are not repeated. */
  problems: readonly ProblemCode[];
}

/** Keeps the literal types of a route while checking its shape. */
export const defineRoute = <const Route extends RouteContract>(route: Route): Route => route;

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives, parsed. */
export type RouteBody<R extends RouteContract> = Output<R["body"]>;
export type RouteParams<R extends RouteContract> = Output<R["params"]>;
export type RouteQuery<R extends RouteContract> = Output<R["query"]>;
/** What a caller sends, before parsing. */
export type RouteBodyInput<R extends RouteContract> = Input<R["body"]>;
/** What a caller gets back. */
export type RouteAnswer<R extends RouteContract> = Output<R["success"]["body"]>;
