/** GET /_slipway/banners: what n8n's editor shows above everything. It asks without a session, so a banner says no more than a refused call does. */
import type { Handler } from "./internals.mts";
import type { Quota } from "./quota.mts";

export const bannersPath = "/_slipway/banners";

/** The editor's own shape, with Markdown in it. A trial has a banner of the editor's own. */
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
