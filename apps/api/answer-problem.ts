/** The one place that turns errors into responses: expected refusals by their code, anything else as 500 with a request id. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { fieldMessage } from "#contract/api/field-words.ts";
import { fieldCodes, problems, type FieldProblem, type Problem, type ProblemCode } from "#contract/api/problem.ts";
import { AppError } from "#platform/app-error.ts";
import { isDatabaseAway } from "#platform/database.ts";
import { databaseUnavailable } from "#platform/http/database-unavailable.ts";
import { bearerToken } from "#platform/http/session-cookie.ts";

/** Fastify's own refusals, by its codes. */
const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_EMPTY_JSON_BODY: "bad_request",
  FST_ERR_CTP_INVALID_JSON_BODY: "bad_request",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
};

/** Responds with application/problem+json. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toAppError(error);
  const { status, title } = problems[refusal.code];
  if (status >= 500) request.log.error({ err: error }, "a request failed");
  else if (status === 403 || status === 429) request.log.info({ code: refusal.code, address: request.ip }, "a request was not allowed");
  else request.log.debug({ code: refusal.code, internal: refusal.message }, "a request was refused");
  const { detail, retryAfterSeconds, errors } = refusal.details;
  const body: Problem = {
    type: `/api/docs#${refusal.code}`,
    title,
    status,
    code: refusal.code,
    detail: detail ?? title,
    error: title,
    requestId: request.id,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(errors ? { errors } : {}),
  };
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", String(retryAfterSeconds));
  if (status === 401) void reply.header("www-authenticate", challengeFor(refusal.code, request));
  // Serialized here, so that a schema mismatch cannot turn a refusal into another error.
  return reply.code(status).type("application/problem+json").serializer(JSON.stringify).send(body);
}

/**
 * How to prove who one is (RFC 9110, 11.6.1; RFC 6750, 3). Browsers ask for a password in a dialog for `Basic`, `Digest` and the like, and
 * never for `Bearer`.
 */
const challengeFor = (code: ProblemCode, request: FastifyRequest): string =>
  code === "session_expired" && bearerToken(request) ? 'Bearer realm="Slipway", error="invalid_token"' : 'Bearer realm="Slipway"';

/** The error as a refusal that the caller may read. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return new AppError("validation_failed", { errors: fieldProblems(error) });
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code ? frameworkCodes[code] : undefined;
  if (known) return new AppError(known, { cause: error });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError("bad_request", { cause: error });
  // What was begun was rolled back, or its answer was lost: an idempotency key tells which.
  if (isDatabaseAway(error)) return databaseUnavailable(error);
  return new AppError("internal_error", { cause: error });
}

/** One problem per field: the first rule that it breaks. */
function fieldProblems(error: { validation: { instancePath?: string; message?: string }[] }): FieldProblem[] {
  const byPath = new Map<string, FieldProblem>();
  for (const issue of error.validation) {
    const path = (issue.instancePath ?? "").replace(/^\//, "").replaceAll("/", ".");
    // Shapes without a rule of ours fail with the library's message, which may change in any release.
    const code = fieldCodes.find((known) => known === issue.message) ?? "value.invalid";
    if (!byPath.has(path)) byPath.set(path, { path, code, message: fieldMessage(code) });
  }
  return [...byPath.values()];
}
