import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { knownUser, watchUser } from "../../lib/session/session.ts";

/**
 * Draws a question to the signed-in user above whichever page is open, and resolves with the answer; no, once their session has ended.
 * Rejects if the question cannot be drawn.
 */
export function askOnTop(draw: (answer: (isYes: boolean) => void) => ReactNode): Promise<boolean> {
  const userId = knownUser()?.id;
  if (userId === undefined) return Promise.resolve(false);
  const place = document.createElement("div");
  // A dialog below this one must not react to the Escape that closes this one.
  place.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(place);
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const root = createRoot(place, {
    onUncaughtError(error) {
      reportError(error);
      reject(error);
    },
  });
  const unwatch = watchUser(() => knownUser()?.id !== userId && resolve(false));
  root.render(draw(resolve));
  return promise.finally(() => {
    unwatch();
    root.unmount();
    place.remove();
  });
}
