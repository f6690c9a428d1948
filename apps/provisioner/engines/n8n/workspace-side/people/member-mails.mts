/**
 * Mails of n8n's own user management: forgotten passwords and invitations made in n8n. n8n has no mail server; the control plane is told
 * recipient and link, decides whether to send, and uses its own texts.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { EditorRequests } from "../editor/editor-requests.mts";
import type { Internals } from "../internals.mts";

const byControlPlane = new AsyncLocalStorage<true>();

/** Runs an invitation requested by the control plane, which sends the mail itself. */
export const withoutMail = <Result,>(work: () => Promise<Result>): Promise<Result> => byControlPlane.run(true, work);

/** Gives n8n a mailer that leaves its mails to the control plane. All other mails of n8n remain off, as without a mail server. */
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
