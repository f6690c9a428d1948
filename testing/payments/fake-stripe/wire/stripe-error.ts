/** An error response from Stripe. Always an object under `error`; otherwise Stripe's library takes it for a success. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: { type: string; code?: string; decline_code?: string; message: string };
  constructor(status: number, body: StripeFault["body"]) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export const missing = (what: string, id: string): StripeFault =>
  new StripeFault(404, { type: "invalid_request_error", code: "resource_missing", message: `No such ${what}: '${id}'` });
export const invalid = (message: string, code?: string): StripeFault =>
  new StripeFault(400, { type: "invalid_request_error", message, ...(code && { code }) });
export const declined = (message: string): StripeFault =>
  new StripeFault(402, { type: "card_error", code: "card_declined", decline_code: "generic_decline", message });
export const needsAction = (what: "subscription" | "invoice"): StripeFault =>
  new StripeFault(402, {
    type: "card_error",
    code: `${what}_payment_intent_requires_action`,
    message: "This payment requires additional user action before it can be completed successfully.",
  });
