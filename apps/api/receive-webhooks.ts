/**
 * Receives the payment provider's webhooks. The signature covers the raw bytes of the body, so the body is not parsed first. A signed
 * event is stored and acknowledged immediately; the worker handles it later (domain/billing/provider-truth/handle-events.ts).
 */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { problem } from "#contract/api/problem.ts";
import { kindNameOf, SignatureInvalid } from "#payments/payment-provider.ts";
import { receiveEvent } from "#domain/billing/provider-truth/provider-event-store.ts";
import type { Services } from "#domain/journeys/services.ts";
import { AppError } from "#platform/app-error.ts";

/** Several times the largest documented event. */
const bodyLimitBytes = 1024 * 1024;

/** Mounts `POST /webhooks/:provider`: no session, and no rate limit, because a provider sends all events from a few addresses. */
export async function receiveWebhooks(api: FastifyInstance, { db, clock, billing, log }: Services): Promise<void> {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyLimitBytes }, (_request, body, done) => done(null, body));
  api.route({
    method: "POST",
    url: "/webhooks/:provider",
    bodyLimit: bodyLimitBytes,
    config: { rateLimit: false },
    schema: {
      summary: "Events of the payment provider, signed by it",
      tags: ["Billing"],
      params: z.object({ provider: z.string() }),
      response: { 200: z.object({ received: z.boolean() }), default: problem.describe("webhook_refused, not_found, body_too_large") },
    },
    handler: async (request) => {
      if ((request.params as { provider: string }).provider !== kindNameOf(billing.provider.name)) throw new AppError("not_found");
      const event = readEvent(request.headers, request.body);
      const isNew = await receiveEvent(db, billing.provider.name, event, clock.now());
      log.info({ event: event.id, type: event.type, isNew }, "an event of the payment provider was received");
      return { received: true };
    },
  });

  function readEvent(headers: Record<string, string | string[] | undefined>, body: unknown) {
    const single = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
    );
    try {
      return billing.provider.readWebhook(single, Buffer.isBuffer(body) ? body : Buffer.alloc(0), clock.now());
    } catch (error) {
      if (error instanceof SignatureInvalid) throw new AppError("webhook_refused", { cause: error, internal: error.message });
      throw error;
    }
  }
}
