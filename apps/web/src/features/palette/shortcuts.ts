/** The keys that work on every page: `g` and a letter lead somewhere, `?` shows the list, Ctrl K (on a Mac Cmd K) opens the palette. */
import { localValues } from "../../lib/browser/stored-value.ts";
import { createStore, useStore } from "../../lib/store.ts";

/** Long enough to find the second key, short enough that a `g` of before does not count. */
const waitMs = 1_500;
const offKey = "slipway.shortcuts-off";

const isOff = createStore<boolean | undefined>(undefined);
const readOff = (): boolean => isOff.get() ?? localValues.read(offKey) !== null;

/** Whether single keys do something: speech input and trembling hands press them without meaning it. */
export const useSingleKeys = (): boolean => !(useStore(isOff) ?? readOff());

/** Kept for this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) localValues.remove(offKey);
  else localValues.write(offKey, "1");
  isOff.set(!on);
}

/** Whether the command key is what Ctrl is elsewhere. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Ctrl K deletes to the end of the line in each text field of a Mac, so only Cmd K is ours there. */
const isForPalette = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

interface ShortcutTargets {
  palette: () => void;
  sheet: () => void;
  /** Leads to the page of this key; false if there is none. */
  go: (key: string) => boolean;
}

/** Handles the keys of a document; the returned function is for its `keydown`. */
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

/** Whether someone is typing or choosing, or a dialog is open, whose keys are its own. */
function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest(fields)) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
