import { afterEach, expect, test, vi } from "vitest";
import { choiceKeyHandler } from "./choice-keys.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["chooses its option", "nothing", 1],
  ["chooses nothing while the palette is fetched", "a dialog that is fetched", 0],
])("a number %s", (_what, before, times) => {
  const fetched = before === "nothing" ? null : {};
  vi.stubGlobal("document", {
    activeElement: null,
    querySelector: (selector: string) => (selector === "[role=dialog][hidden]" ? fetched : null),
  });
  vi.stubGlobal("Element", class {});
  vi.stubGlobal("PointerEvent", class {});
  const click = vi.fn<() => void>();
  const option = { focus: () => undefined, closest: () => null, dispatchEvent: () => true, click };
  const form = { querySelector: (selector: string) => (selector === '[data-choice-key="2"]' ? option : null) };
  const handle = choiceKeyHandler({ current: form as unknown as HTMLFormElement });
  handle({ key: "2", target: null, preventDefault: () => undefined } as unknown as KeyboardEvent);
  expect(click).toHaveBeenCalledTimes(times);
});
