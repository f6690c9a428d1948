/** Messages with markup are for the editor, which renders it; programs that call n8n's public API get plain text. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ExpressApp } from "../internals.mts";
import { mountFirst } from "../mount-first.mts";

const apiCall = new AsyncLocalStorage<true>();

export const isApiCall = (): boolean => apiCall.getStore() === true;

/** Marks calls of the public API while they are handled. */
export function knowApiCallers(app: ExpressApp): void {
  mountFirst(app, (request, _response, next) => (request.path.startsWith("/api/") ? apiCall.run(true, next) : next()));
}
