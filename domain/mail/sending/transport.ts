/** How mails leave, whatever carries them. */
import type { QueuedMail } from "../mail.ts";

export interface MailTransport {
  /**
   * Resolves when the other side has taken responsibility for the mail. Rejects with MailRefused when another try
   * cannot help, with anything else when it can. An aborted `signal` ends the try.
   */
  send(mail: QueuedMail, signal: AbortSignal): Promise<void>;
  /** Whether the outbox must keep what a sent mail says, because people read it there. */
  readonly keepsBody: boolean;
  /** Lets go of connections. */
  close(): void;
}

/** The other side will never take this mail: no such mailbox, or a message it does not accept. */
export class MailRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "MailRefused";
  }
}
