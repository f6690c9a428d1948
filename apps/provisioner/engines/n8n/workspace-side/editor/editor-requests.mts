/**
 * Requests from n8n's editor that only the control plane can fulfil. It takes them with its next usage reading, within a minute, and
 * reports which are done. They are kept in memory: after a restart, the user presses the button again.
 */
import { randomUUID } from "node:crypto";

type EditorRequest =
  | { id: string; kind: "confirmation-mail" }
  | { id: string; kind: "event"; name: string }
  | { id: string; kind: "password-mail"; email: string; path: string }
  | { id: string; kind: "invitation"; email: string }
  | { id: string; kind: "nodes-held-back"; nodes: string[] }
  | { id: string; kind: "workflows-interrupted"; workflows: string[] };

export interface EditorRequests {
  /** A repeated request counts once until the first is done. */
  askForConfirmationMail(): void;
  /** A link to choose a new password, for a user of this workspace; the newest counts. False if too many requests are waiting. */
  askForPasswordMail(email: string, path: string): boolean;
  /** A person was invited in n8n. False if too many requests are waiting. */
  askForInvitation(email: string): boolean;
  /** False without a name, or if too many requests are waiting. */
  reportEvent(name: unknown): boolean;
  /** n8n was started without these community nodes. */
  reportHeldBack(nodes: string[]): void;
  /** Workflows by name that ran when the process before this one was killed. */
  reportInterrupted(workflows: string[]): void;
  open(): EditorRequest[];
  done(ids: unknown): void;
}

/** More than an editor reports in a minute. */
const mostEvents = 50;
/** As many people as the panel can invite at once. */
const mostMails = 50;
/** Community nodes named in one journal entry. */
const mostNodes = 20;
const mostWorkflows = 5;
/** A word such as "signed-up": never text that a person typed. */
const eventName = /^[\w .:-]{1,60}$/;

/** Requests that the control plane has not taken for this long are dropped. */
const forgottenMs = 3_600_000;

export function createEditorRequests(now: () => Date): EditorRequests {
  let waiting: { request: EditorRequest; sinceMs: number }[] = [];
  const open = (): EditorRequest[] => {
    waiting = waiting.filter(({ sinceMs }) => now().getTime() - sinceMs < forgottenMs);
    return waiting.map(({ request }) => request);
  };
  const ask = (request: EditorRequest, most: number, isOfKind: (other: EditorRequest) => boolean): boolean => {
    if (open().filter(isOfKind).length >= most) return false;
    waiting.push({ request, sinceMs: now().getTime() });
    return true;
  };
  const askForMail = (request: EditorRequest & { email: string }): boolean => {
    waiting = waiting.filter(({ request: other }) => !("email" in other) || other.kind !== request.kind || other.email !== request.email);
    return ask(request, mostMails, (other) => "email" in other);
  };
  return {
    askForConfirmationMail: () => void ask({ id: randomUUID(), kind: "confirmation-mail" }, 1, ({ kind }) => kind === "confirmation-mail"),
    askForPasswordMail: (email, path) => askForMail({ id: randomUUID(), kind: "password-mail", email, path }),
    askForInvitation: (email) => askForMail({ id: randomUUID(), kind: "invitation", email }),
    reportEvent: (name) =>
      typeof name === "string" &&
      eventName.test(name) &&
      ask({ id: randomUUID(), kind: "event", name }, mostEvents, ({ kind }) => kind === "event"),
    reportHeldBack: (nodes) =>
      void ask(
        { id: randomUUID(), kind: "nodes-held-back", nodes: nodes.slice(0, mostNodes) },
        1,
        ({ kind }) => kind === "nodes-held-back",
      ),
    reportInterrupted: (workflows) =>
      void ask(
        { id: randomUUID(), kind: "workflows-interrupted", workflows: workflows.slice(0, mostWorkflows) },
        1,
        ({ kind }) => kind === "workflows-interrupted",
      ),
    open,
    done: (ids) => {
      if (Array.isArray(ids)) waiting = waiting.filter(({ request }) => !ids.includes(request.id));
    },
  };
}
