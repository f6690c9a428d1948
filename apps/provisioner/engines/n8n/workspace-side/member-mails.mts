/**
 * Mails of n8n's own user management: a forgotten password, an invitation made in n8n. n8n has no mail server; the control plane sends
 * them in its own words, and is told whom and which link. It decides whether they are sent.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { EditorRequests } from "./editor-requests.mts";
import type { Internals } from "./internals.mts";

const byControlPlane = new AsyncLocalStorage<true>();

/** Runs an invitation that the control plane asked for, and mails itself. */
export const withoutMail = <Result,>(work: () => Promise<Result>): Promise<Result> => byControlPlane.run(true, work);

/** Gives n8n a mailer that leaves its mails to the control plane. Everything else in n8n that mails stays as without a mail server. */
export function leaveMailsToControlPlane({ mailers }: Internals, requests: EditorRequests): void {
  mailers.replace({
    isEmailSetUp: true,
    passwordReset: async ({ email, passwordResetUrl }) => {
      const { pathname, search } = new URL(passwordResetUrl);
      return { emailSent: requests.askForPasswordMail(email.toLowerCase(), pathname + search) };
    },
    invite: async ({ email }) => ({
      emailSent: byControlPlane.getStore() === true ? false : requests.askForInvitation(email.toLowerCase()),
    }),
  });
}
