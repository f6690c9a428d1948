import { notify } from "../notices/notices.ts";

/** Copies a text and says `copied`, or `refused` where the browser forbids it; whether it was copied. */
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
