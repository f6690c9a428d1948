/** n8n mounts its own routes before hooks run: what is to be answered instead of n8n goes in front of all of them. */
import type { ExpressApp, Handler } from "./internals.mts";

/** Puts a handler before everything that was mounted so far, body and cookie parsers included. */
export function mountFirst(app: ExpressApp, handler: Handler): void {
  app.use(handler);
  const { stack } = app.router!;
  stack.unshift(stack.pop());
}
