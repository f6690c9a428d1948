/**
 * A page of another site that calls a webhook which no workflow has gets n8n's 404, and may read it. n8n looks up the webhook's own rules for
 * other sites first, and answers 500 without any when there is no webhook.
 */
import type { LiveWebhooks } from "./internals.mts";

export function answerUnknownOrigins(live: LiveWebhooks): void {
  const find = live.findAccessControlOptions.bind(live);
  // Without rules, each site may read the answer: it says nothing that the site's page could not learn without it. `executeWebhook` refuses
  // the call itself a moment later.
  live.findAccessControlOptions = async (path, method) => {
    try {
      return await find(path, method);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}

const isNotFound = (error: unknown): boolean => (error as { httpStatusCode?: unknown } | undefined)?.httpStatusCode === 404;
