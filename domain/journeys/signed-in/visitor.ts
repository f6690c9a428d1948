/** Who asks to be signed in, as far as the request tells. */
import type { FastifyRequest } from "fastify";
import { describeDevice } from "#domain/accounts/describe-device.ts";

export interface Visitor {
  /** For limits and the audit log. */
  address: string;
  /** For the list of one's sessions: browser and system in our own words. */
  device: string | null;
}

/** Reads it off the request. */
export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  device: describeDevice(request.headers["user-agent"]),
});
