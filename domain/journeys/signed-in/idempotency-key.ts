/** The key by which a call that moves money happens once, however often it arrives. */
import type { FastifyRequest } from "fastify";
import { idempotencyHeader } from "#contract/billing/billing.ts";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { AppError } from "#platform/app-error.ts";
import { newId } from "#platform/ids.ts";

/** Visible ASCII characters: the key is passed on in the headers of payment providers. */
const keyPattern = /^[\x21-\x7e]{1,64}$/;

/** The call's key; a call without one is refused, because it could not be repeated safely. */
export function idempotencyKey(request: FastifyRequest): string {
  const key = request.headers[idempotencyHeader];
  if (typeof key !== "string" || key === "") throw refusal("idempotency_key.required");
  if (!keyPattern.test(key)) throw refusal("idempotency_key.invalid");
  return key;
}

/** For a call that charges nothing: without a key, each call is a new one. */
export function optionalKey(request: FastifyRequest): string {
  return request.headers[idempotencyHeader] === undefined ? newId() : idempotencyKey(request);
}

function refusal(code: FieldCode): AppError {
  return new AppError("validation_failed", { errors: [{ path: idempotencyHeader, code, message: fieldMessage(code) }] });
}
