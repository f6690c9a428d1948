/** Short messages that outlive the page they came from. */
import { onSessionEnd } from "../session/session.ts";
import { createStore } from "../store.ts";

export type NoticeTone = "info" | "success" | "warning" | "danger";

export interface PassingNotice {
  id: number;
  tone: NoticeTone;
  text: string;
  /** An action that is still possible, such as undoing the change. */
  action?: NoticeAction | undefined;
}

export interface NoticeAction {
  label: string;
  run: () => void;
}

export const notices = createStore<readonly PassingNotice[]>([]);
let lastId = 0;

// The next user who signs in here would otherwise read them, and their buttons would act for that user.
onSessionEnd(() => notices.set([]));

/**
 * Shows a message, with a button if there is an action. A text that is already shown is not shown again; one with a button is replaced,
 * because its button belongs to the earlier action.
 */
export function notify(tone: NoticeTone, text: string, action?: NoticeAction): void {
  const others = notices.get().filter((notice) => notice.text !== text);
  if (!action && others.length < notices.get().length) return;
  notices.set([...others, { id: ++lastId, tone, text, action }]);
}

/** Removes a message. */
export function dismissNotice(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}
