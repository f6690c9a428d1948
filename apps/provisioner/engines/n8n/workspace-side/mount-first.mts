/** n8n mounts its own routes before hooks run, so handlers that replace them must go in front. */
import type { ExpressApp, Handler } from "./internals.mts";

/** Puts a handler before everything mounted so far, including body and cookie parsers. */
export function mountFirst(app: ExpressApp, handler: Handler): void {
  app.use(handler);
  const { stack } = app.router!;
  stack.unshift(stack.pop());
}
