/** Detects what moves on a page while it loads, with slow answers. */
import type { BrowserContext, Page } from "playwright-core";

/** Slow enough that everything before an answer is really drawn. */
const answersAfterMs = 150;

export interface Shifts {
  /** As the browser counts them: the part of the window that moved, times how far, summed. */
  sum: number;
  /** Each shift in words: what moved, and from where to where. */
  said: string[];
}

interface Watched {
  settledShifts(): Promise<Shifts>;
}

/** Slows the API's answers in this context, and watches all of its pages. Call it before a page is opened. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  // In the page, because a context whose requests are intercepted fetches fonts and chunks again for every page.
  await context.addInitScript(recordShifts, answersAfterMs);
}

/** Waits until nothing is loading, and returns what has moved on this page since it was opened. */
export const settledShifts = (page: Page): Promise<Shifts> => page.evaluate(() => (globalThis as unknown as Watched).settledShifts());

/** In the page: what the browser itself counts as a shift, with what has moved. */
function recordShifts(answersAfterMs: number): void {
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  const shifts: Shifts = { sum: 0, said: [] };
  let unanswered = 0;
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  const realFetch = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    unanswered += 1;
    try {
      await sleep(answersAfterMs);
      return await realFetch(...request);
    } finally {
      // By then the changes caused by the answer are drawn.
      setTimeout(() => (unanswered -= 1), answersAfterMs);
    }
  };

  const named = ({ node, previousRect, currentRect }: Shift["sources"][number]): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    const text = element?.textContent?.trim().slice(0, 40) ?? "";
    const place = ({ left, top, height }: DOMRectReadOnly) => `${Math.round(left)}/${Math.round(top)} (${Math.round(height)} px high)`;
    return `<${element?.tagName.toLowerCase() ?? "?"}> “${text}” from ${place(previousRect)} to ${place(currentRect)}`;
  };
  const count = (entries: PerformanceEntry[]): void => {
    for (const entry of entries as Shift[]) {
      if (entry.hadRecentInput) continue;
      shifts.sum += entry.value;
      shifts.said.push(`${entry.value.toFixed(4)}: ${entry.sources.map(named).join(", ")}`);
    }
  };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });

  const isLoading = () => unanswered > 0 || document.fonts.status === "loading" || document.querySelector("[aria-busy=true]") !== null;
  const settledShifts = async (): Promise<Shifts> => {
    // Counted in the page, where a busy machine delays everything alike.
    for (let quietLooks = 0; quietLooks < 3;) {
      await sleep(answersAfterMs / 2);
      quietLooks = isLoading() ? 0 : quietLooks + 1;
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    count(observer.takeRecords());
    return shifts;
  };
  Object.assign(globalThis, { settledShifts });
}
