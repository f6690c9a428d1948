import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Waits until the dialog or menu has the focus, before which it does not hear the key, and closes it by Escape. */
export async function closeByEscape(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await dialog.page().keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}
