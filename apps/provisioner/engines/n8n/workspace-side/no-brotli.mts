/**
 * n8n compresses its editor's files anew for each request. With brotli each takes megabytes: 500 requests for one file ended an n8n of 1,024 MB;
 * with gzip, all are answered.
 */
import type { ExpressApp } from "./internals.mts";
import { mountFirst } from "./mount-first.mts";

export function refuseBrotli(app: ExpressApp): void {
  mountFirst(app, ({ headers }, _response, next) => {
    const accepted = headers["accept-encoding"];
    if (accepted !== undefined) headers["accept-encoding"] = withoutBrotli(accepted);
    next();
  });
}

export const withoutBrotli = (accepted: string): string =>
  accepted
    .split(",")
    .filter((coding) => !/^\s*(?:br|\*)\s*(?:;|$)/i.test(coding))
    .join(",");
