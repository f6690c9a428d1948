import { afterEach, expect, test, vi } from "vitest";
import { shortcutHandler } from "./shortcuts.ts";

afterEach(() => vi.unstubAllGlobals());

const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const linux = "Mozilla/5.0 (X11; Linux x86_64)";

test.each([
  ["Ctrl K", linux, { ctrlKey: true }, true],
  ["Super K", linux, { metaKey: true }, false],
  ["Cmd K", mac, { metaKey: true }, true],
  ["Ctrl K, which deletes to the end of the line,", mac, { ctrlKey: true }, false],
  ["Ctrl Shift K", linux, { ctrlKey: true, shiftKey: true }, false],
])("%s on %s opens the palette only where it is its key", (_keys, userAgent, held, opens) => {
  vi.stubGlobal("navigator", { userAgent });
  vi.stubGlobal("localStorage", { getItem: () => null });
  const palette = vi.fn<() => void>();
  const preventDefault = vi.fn<() => void>();
  const handle = shortcutHandler({ palette, sheet: () => {}, go: () => false });
  handle({ key: "k", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held, preventDefault } as unknown as KeyboardEvent);
  expect(palette).toHaveBeenCalledTimes(opens ? 1 : 0);
  expect(preventDefault).toHaveBeenCalledTimes(opens ? 1 : 0);
});
