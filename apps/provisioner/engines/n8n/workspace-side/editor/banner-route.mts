/**
 * GET /_slipway/banners: the banners at the top of n8n's editor. The request has no session, so a banner says no more than a refused call
 * does.
 */
import type { Handler } from "../internals.mts";
import type { Quota } from "../quota/quota.mts";

export const bannersPath = "/_slipway/banners";

/** The editor's own format, with Markdown in it. The editor has its own banner for trials. */
export function createBannerHandler(quota: Quota): Handler {
  return (_request, response) => {
    const refusal = quota.usedUp();
    const banners =
      refusal === undefined || refusal.isTrial
        ? []
        : [
            {
              id: "executions-used-up",
              content: refusal.banner,
              theme: "warning",
              isDismissible: false,
              dismissPermanently: false,
              priority: 1,
            },
          ];
    response.set("Cache-Control", "no-store").json(banners);
  };
}
