/**
 * What somebody asked for in n8n's editor that only the control plane can do. It takes these with its next look at the usage, within a
 * minute, and says which are done. In memory: a request that a restart loses is made again by pressing the button again.
 */
import { randomUUID } from "node:crypto";

export type EditorRequest = { id: string; kind: "confirmation-mail" } | { id: string; kind: "event"; name: string };

export interface EditorRequests {
  /** Asking twice before the first is done asks once. */
  askForConfirmationMail(): void;
  /** False where there is no name, or too much waits already. */
  reportEvent(name: unknown): boolean;
  open(): EditorRequest[];
  done(ids: unknown): void;
}

/** More than an editor reports in a minute. */
const mostEvents = 50;
/** A word, such as "signed-up": nothing that a person typed. */
const eventName = /^[\w .:-]{1,60}$/;

export function createEditorRequests(): EditorRequests {
  let waiting: EditorRequest[] = [];
  return {
    askForConfirmationMail: () => {
      if (!waiting.some(({ kind }) => kind === "confirmation-mail")) waiting.push({ id: randomUUID(), kind: "confirmation-mail" });
    },
    reportEvent: (name) => {
      if (typeof name !== "string" || !eventName.test(name) || waiting.length >= mostEvents) return false;
      waiting.push({ id: randomUUID(), kind: "event", name });
      return true;
    },
    open: () => [...waiting],
    done: (ids) => {
      if (Array.isArray(ids)) waiting = waiting.filter(({ id }) => !ids.includes(id));
    },
  };
}
