/** Refuses bodies that would be far more in memory than they are: one with 15 MB of `[` or of `[],` ended an n8n of 1,024 MB. */
import { getHeapStatistics } from "node:v8";
import type { ExpressApp, WebhookRequest } from "./internals.mts";
import { mountFirst } from "./mount-first.mts";

/**
 * Of n8n's memory for objects, for each list or object of a JSON body, with all that n8n makes of it. Of objects with a single number, all that
 * fit into a body of 16 MB are fewer.
 */
const bytesPerList = 300;
const listsWithRoom = (): number => Math.floor(getHeapStatistics().heap_size_limit / bytesPerList);

/** Answered like a body that is too large. */
export class TooManyLists extends Error {
  readonly type = "entity.too.large";
  readonly status = 413;
  readonly statusCode = 413;
}

/** On all paths: n8n reads a body before it asks who sends it. */
export function refuseManyLists(app: ExpressApp, most = listsWithRoom()): void {
  mountFirst(app, (request, _response, next) => {
    const { "content-length": length, "transfer-encoding": transfer, "content-encoding": encoding } = request.headers;
    if (Number(length) > most || transfer !== undefined || encoding !== undefined) checkOnceRead(request as WebhookRequest, most);
    next();
  });
}

/** n8n's first middleware gives each request the function that reads its body. */
function checkOnceRead(request: WebhookRequest, most: number): void {
  Object.defineProperty(request, "readRawBody", {
    configurable: true,
    set(read: () => Promise<void>) {
      const value = async (): Promise<void> => {
        await read();
        if (hasMoreLists(request.rawBody, most)) throw new TooManyLists("the body has too many lists and objects");
      };
      Object.defineProperty(request, "readRawBody", { configurable: true, enumerable: true, writable: true, value });
    },
  });
}

const list = "[".charCodeAt(0);
const object = "{".charCodeAt(0);

/** As if it were JSON. */
function hasMoreLists(body: Buffer | undefined, most: number): boolean {
  if (!body || body.length <= most) return false;
  let lists = 0;
  for (let at = 0; at < body.length && lists <= most; at += 1) if (body[at] === list || body[at] === object) lists += 1;
  return lists > most;
}
