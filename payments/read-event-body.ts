import type { z } from "zod";
import { parseJson } from "#platform/http/parse-json.ts";
import { SignatureInvalid } from "./payment-provider.ts";

/** The body of a webhook whose signature is good; throws SignatureInvalid for one that its provider would never send. */
export function readEventBody<Shape extends z.ZodType>(shape: Shape, rawBody: Buffer): z.output<Shape> {
  const read = shape.safeParse(parseJson(rawBody.toString("utf8")));
  if (!read.success) throw new SignatureInvalid("The body is not an event.");
  return read.data;
}
