/** The interface for sending mails, whatever the transport. */
import type { QueuedMail } from "../mail.ts";

export interface MailTransport {
  /**
   * Resolves when the receiving server has taken responsibility for the mail. Rejects with MailRefused if another attempt
   * cannot help, with any other error if it can. An aborted `signal` ends the attempt.
   */
  send(mail: QueuedMail, signal: AbortSignal): Promise<void>;
  /** Whether the outbox must keep the body of a sent mail, because it is read there. */
  readonly keepsBody: boolean;
  /** Closes connections. */
  close(): void;
}

/** The server will never accept this mail: no such mailbox, or an unacceptable message. */
export class MailRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "MailRefused";
  }
}
