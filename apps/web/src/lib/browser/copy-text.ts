import { notify } from "../notices/notices.ts";

/** Copies a text and shows `copied`, or `refused` if the browser forbids it; returns whether it was copied. */
export async function copyText(text: string, { copied, refused }: { copied: string; refused: string }): Promise<boolean> {
  try {
    // Without https there is no clipboard, except on localhost.
    await navigator.clipboard.writeText(text);
  } catch {
    notify("warning", refused);
    return false;
  }
  notify("success", copied);
  return true;
}
