/** The keys that work on every page: `g` and a letter open a page, `?` shows the list, Ctrl K (on a Mac Cmd K) opens the palette. */
import { localValues } from "../../lib/browser/stored-value.ts";
import { createStore, useStore } from "../../lib/store.ts";

/** Long enough to find the second key, short enough that an earlier `g` does not count. */
const waitMs = 1_500;
const offKey = "slipway.shortcuts-off";

const isOff = createStore<boolean | undefined>(undefined);
const readOff = (): boolean => isOff.get() ?? localValues.read(offKey) !== null;

/** Whether single-key shortcuts are on: speech input and trembling hands can press them unintentionally. */
export const useSingleKeys = (): boolean => !(useStore(isOff) ?? readOff());

/** Stored in this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) localValues.remove(offKey);
  else localValues.write(offKey, "1");
  isOff.set(!on);
}

/** Whether the Command key is used instead of Ctrl. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** On a Mac, Ctrl K deletes to the end of the line in text fields, so only Cmd K is ours there. */
const isForPalette = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

interface ShortcutTargets {
  palette: () => void;
  sheet: () => void;
  /** Opens the page of this key; false if there is none. */
  go: (key: string) => boolean;
}

/** Returns the `keydown` handler of a document. */
export function shortcutHandler({ palette, sheet, go }: ShortcutTargets): (event: KeyboardEvent) => void {
  let wentAtMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (isForPalette(event)) {
      event.preventDefault();
      return palette();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || readOff() || isBusy(event.target)) return;
    const key = event.key.toLowerCase();
    const isSecond = event.timeStamp - wentAtMs < waitMs;
    wentAtMs = Number.NEGATIVE_INFINITY;
    if (isSecond && go(key)) return event.preventDefault();
    if (key === "g") wentAtMs = event.timeStamp;
    if (key === "?") {
      event.preventDefault();
      sheet();
    }
  };
}

const fields = 'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="menu"], [role="listbox"]';

/** Whether someone is typing or choosing, or a dialog is open, which has its own keys. */
function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest(fields)) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
