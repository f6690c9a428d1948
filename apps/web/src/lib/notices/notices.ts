/** Short messages that outlive the page they came from. */
import { createStore } from "../store.ts";

export type NoticeTone = "info" | "success" | "warning" | "danger";

export interface PassingNotice {
  id: number;
  tone: NoticeTone;
  text: string;
  /** What can still be done about it, such as to take it back. */
  action?: NoticeAction | undefined;
}

export interface NoticeAction {
  label: string;
  run: () => void;
}

export const notices = createStore<readonly PassingNotice[]>([]);
let lastId = 0;

/**
 * Shows a message, with a button where something can be done about it. A text that is already shown is not shown again; one with a button is
 * replaced, as its button is about what was done before.
 */
export function notify(tone: NoticeTone, text: string, action?: NoticeAction): void {
  const others = notices.get().filter((notice) => notice.text !== text);
  if (!action && others.length < notices.get().length) return;
  notices.set([...others, { id: ++lastId, tone, text, action }]);
}

/** Takes a message away. */
export function dismissNotice(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}
