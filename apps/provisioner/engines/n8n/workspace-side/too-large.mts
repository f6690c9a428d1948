/** Tells callers that a body is too large for n8n to read; n8n itself answers 500, and where a node reads the body, runs the workflow. */
import { TooManyLists } from "./too-many-lists.mts";
import type { Internals, WebhookRequest, WebhookResponse } from "./internals.mts";

/** Answers 413 instead; files sent as a form have a separate limit. */
export function tellTooLarge({ webhooks, payloadMb }: Pick<Internals, "webhooks" | "payloadMb">): void {
  const execute = webhooks.live.executeWebhook.bind(webhooks.live);
  webhooks.live.executeWebhook = (request, response, nodeType) => {
    const refused = Promise.withResolvers<unknown>();
    refuseWhenRead(request, response, payloadMb, () => refused.resolve({ noWebhookResponse: true }));
    // The call is over when it is refused: whoever counts those under way must not count it for ever.
    return Promise.race([refused.promise, execute(request, response, nodeType)]);
  };
}

function refuseWhenRead(request: WebhookRequest, response: WebhookResponse, payloadMb: number, onRefused: () => void): void {
  const read = request.readRawBody;
  if (!read) return;
  request.readRawBody = async () => {
    try {
      await read();
    } catch (error) {
      if (!isTooLarge(error) || response.headersSent) throw error;
      refuse(response, error instanceof TooManyLists ? "fewer lists and objects" : `at most ${payloadMb} MB`);
      // The rest is read and dropped: a connection that is closed over unread data is reset, and the answer may be lost with it.
      request.unpipe();
      request.resume();
      onRefused();
      // The call has its answer, and no execution has begun. Any result here would begin one.
      await new Promise<never>(() => undefined);
    }
  };
}

/** As thrown by the body's reader. */
const isTooLarge = (error: unknown): boolean => (error as { type?: unknown } | undefined)?.type === "entity.too.large";

function refuse(response: WebhookResponse, allowed: string): void {
  const title = "The request is too large";
  const detail = `A body has ${allowed}. Send files as multipart/form-data, which takes up to 200 MB.`;
  response
    .status(413)
    .type("application/problem+json")
    .send(
      `${JSON.stringify({ type: "about:blank", title, status: 413, code: "body_too_large", detail, message: `${title}. ${detail}` })}\n`,
    );
}
