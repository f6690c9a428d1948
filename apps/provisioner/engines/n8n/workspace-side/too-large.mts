/** Tells callers that a body is too large for n8n to read; n8n itself answers 500. */
import type { Internals } from "./internals.mts";
import type { Response } from "../../workspace-side/handler.mts";

/** Answers 413 instead; files sent as a form have a separate limit. */
export function tellTooLarge({ webhooks, payloadMb }: Pick<Internals, "webhooks" | "payloadMb">): void {
  const execute = webhooks.live.executeWebhook.bind(webhooks.live);
  webhooks.live.executeWebhook = async (request, response, nodeType) => {
    try {
      return await execute(request, response, nodeType);
    } catch (error) {
      if (!isTooLarge(error) || response.headersSent) throw error;
      refuse(response, payloadMb);
      return { noWebhookResponse: true };
    }
  };
}

/** As thrown by the body's reader, or as the cause of n8n's own error. */
const isTooLarge = (error: unknown): boolean =>
  [error, (error as Error | undefined)?.cause].some((each) => (each as { type?: unknown } | undefined)?.type === "entity.too.large");

function refuse(response: Response, payloadMb: number): void {
  const title = "The request is too large";
  const detail = `A body has at most ${payloadMb} MB. Send files as multipart/form-data, which takes up to 200 MB.`;
  response
    .status(413)
    .set("Connection", "close")
    .type("application/problem+json")
    .send(
      `${JSON.stringify({ type: "about:blank", title, status: 413, code: "body_too_large", detail, message: `${title}. ${detail}` })}\n`,
    );
}
