/** What a page's first view does not need starts after that view is painted: before it, it would only delay it. */
import { useEffect } from "react";
import { createStore, useStore } from "../store.ts";

/** A tab in the background paints nothing. */
const longestWaitMs = 500;

/**
 * The first frame's callback comes before the paint. Browsers draw what was painted in a separate thread, so that it is on the screen
 * up to two frames later.
 */
const frames = 4;

/** Runs `start` once what is in the page now is on the screen, or after half a second; the returned function cancels it. */
export function afterPaint(start: () => void): () => void {
  const run = () => {
    cancel();
    start();
  };
  let frame = 0;
  const wait = (left: number) => (frame = requestAnimationFrame(() => (left > 1 ? wait(left - 1) : run())));
  wait(frames);
  const limit = setTimeout(run, longestWaitMs);
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(limit);
  };
  return cancel;
}

/** Pages that follow in the same tab do not wait again. */
const painted = createStore(false);

/** Whether there is a page, so that what is fetched later is missing in it alone. */
export const isPainted = (): boolean => painted.get();

/** Whether the first page has been painted: its heading, and what is known without further calls. */
export const useIsPainted = (): boolean => useStore(painted);

/** For what every page has: tells the others here that it, and with it the page, is painted. */
export function useTellPainted(): void {
  useEffect(() => (painted.get() ? undefined : afterPaint(() => painted.set(true))), []);
}

/** Runs `start` once the first page is painted. */
export function whenPainted(start: () => void): void {
  const stop = painted.subscribe(() => {
    stop();
    start();
  });
}
