/** A call whose body n8n does not read, because it is too large, is told so: n8n itself answers 500. */
import type { Internals } from "./internals.mts";
import type { Response } from "../../workspace-side/handler.mts";

/** Answers 413 instead; files that come as a form have a limit of their own. */
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

/** As the reader of the body throws it, or as the cause of n8n's own error. */
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
