/** The shape of a mail, before and after it is in the outbox. */

/** A rendered mail: everything that a reader will see. */
export interface Mail {
  /** One bare address. */
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** One attached file. */
  attachment?: MailAttachment | null;
}

export interface MailAttachment {
  /** The file's name, in plain letters. */
  name: string;
  /** Media type. */
  type: string;
  base64: string;
}

/** A mail of the outbox. Its id is also its Message-ID, the same at every attempt. */
export interface QueuedMail extends Mail {
  id: string;
  createdAt: Date;
  /** Failed attempts so far. */
  attempts: number;
  /** The trace of the call that queued it. */
  traceparent?: string | null;
}
