/** What a mail is, before and after it is in the outbox. */

/** A rendered mail: everything a person will see is decided. */
export interface Mail {
  /** One bare address. */
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** One file that goes along. */
  attachment?: MailAttachment | null;
}

export interface MailAttachment {
  /** Name of the file, plain letters. */
  name: string;
  /** Media type. */
  type: string;
  base64: string;
}

/** A mail of the outbox. Its id is also its Message-ID, the same at every try. */
export interface QueuedMail extends Mail {
  id: string;
  createdAt: Date;
  /** Tries that failed so far. */
  attempts: number;
}
