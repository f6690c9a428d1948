/** The interface for sending mails, whatever the transport. */
import type { QueuedMail } from "../mail.ts";

export interface MailTransport {
  /**
   * Resolves with the receiving server's answer when it has taken responsibility for the mail. Rejects with MailRefused if another attempt
   * cannot help, with MailServerTrouble if it is about us, with any other error if another attempt can help. An aborted `signal` ends
   * the attempt.
   */
  send(mail: QueuedMail, signal: AbortSignal): Promise<string>;
  /** Whether the outbox must keep the body of a sent mail, because it is read there. */
  readonly keepsBody: boolean;
  /** Closes connections. */
  close(): void;
}

/** The server will never accept this mail: no such mailbox, or an unacceptable message. */
export class MailRefused extends Error {
  /** Whether the server named the reason; otherwise it answers the same to everything when its settings or ours are wrong. */
  readonly isUnambiguous: boolean;

  constructor(message: string, { isUnambiguous, cause }: { isUnambiguous: boolean; cause?: unknown }) {
    super(message, { cause });
    this.name = "MailRefused";
    this.isUnambiguous = isUnambiguous;
  }
}

/** The server does not take mail from us: it can't be reached, or refuses our sign-in, our sender, our address or our amount. */
export class MailServerTrouble extends Error {
  /** Whether it concerns every mail for certain; otherwise perhaps this recipient alone. */
  readonly concernsAll: boolean;

  constructor(message: string, { concernsAll, cause }: { concernsAll: boolean; cause?: unknown }) {
    super(message, { cause });
    this.name = "MailServerTrouble";
    this.concernsAll = concernsAll;
  }
}
