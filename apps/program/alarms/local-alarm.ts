/**
 * An alarm that cannot use the database, because it is about it, or about a start that has none. What was sent is remembered in a file of
 * the data folder, so a supervisor that restarts the program again and again does not repeat it.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { remindEveryMs, type Notice } from "#domain/signals/alarm-store.ts";
import { minuteMs, sinceMs, type Clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import type { AlarmKindName } from "./alarm-kinds.ts";
import { deliver, type AlarmChannels } from "./send-notice.ts";

export interface LocalAlarm {
  /** Sends that it began, once, and a reminder each day. */
  raise(detail: string, since: Date): Promise<void>;
  /** Sends that it is over, if it was raised. */
  clear(detail: string): Promise<void>;
}

interface Mark {
  id: string;
  since: string;
  /** Null: no notice has arrived yet. */
  sentAt: string | null;
}

/** After an attempt that reached no one. */
const againMs = 5 * minuteMs;

export function createLocalAlarm(path: string, kind: AlarmKindName, channels: AlarmChannels, clock: Clock): LocalAlarm {
  let mark: Mark | null | undefined;
  let notBefore = 0;
  const known = async (): Promise<Mark | null> => {
    mark ??= await readFile(path, "utf8").then(
      (text) => JSON.parse(text) as Mark,
      () => null,
    );
    return mark;
  };
  const keep = async (next: Mark): Promise<void> => {
    mark = next;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(next));
  };
  const send = async (event: Notice["event"], { id, since }: Mark, detail: string): Promise<boolean> => {
    if (performance.now() < notBefore) return false;
    const isSent = await deliver({ id, kind, event, detail, since: new Date(since) }, channels, clock.now());
    notBefore = isSent ? 0 : performance.now() + againMs;
    return isSent;
  };
  return {
    async raise(detail, since) {
      const now = clock.now();
      const last = (await known()) ?? { id: newId(now.getTime()), since: since.toISOString(), sentAt: null };
      const isReminder = last.sentAt !== null;
      if (isReminder && sinceMs(new Date(last.sentAt!), now) < remindEveryMs) return;
      // Before it is sent: what cannot be remembered would be sent again by each restart.
      await keep(last);
      if (await send(isReminder ? "reminder" : "began", last, detail)) await keep({ ...last, sentAt: now.toISOString() });
    },
    async clear(detail) {
      const last = await known();
      if (!last) return;
      if (last.sentAt !== null && !(await send("over", last, detail))) return;
      mark = null;
      await rm(path, { force: true });
    },
  };
}
