/** Short messages that outlive the page they came from. */
import { createStore } from "./store.ts";

export type NoticeTone = "info" | "success" | "warning" | "danger";

export interface PassingNotice {
  id: number;
  tone: NoticeTone;
  text: string;
}

export const notices = createStore<readonly PassingNotice[]>([]);
let lastId = 0;

/** Shows a message; a text that is already shown is not shown again. */
export function notify(tone: NoticeTone, text: string): void {
  if (notices.get().some((notice) => notice.text === text)) return;
  notices.set([...notices.get(), { id: ++lastId, tone, text }]);
}

/** Takes a message away. */
export function dismissNotice(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}
