/** Mails by SMTP, over a few connections that are kept open. */
import { createTransport } from "nodemailer";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { MailAttachment, QueuedMail } from "../mail.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

export interface SmtpTransportOptions {
  /** `smtp://` takes TLS when the server offers it, `smtp://…?requireTLS=true` insists, `smtps://` begins with it. */
  url: string;
  /** MAIL_FROM: an address, or `Name <address>`. */
  from: string;
  /** TLS or no mail, also by `smtp://`; the certificate is always checked. */
  requireTls?: boolean;
  maxConnections?: number;
  connectTimeoutMs?: number;
  /** Silence of the server that counts as a failure. */
  replyTimeoutMs?: number;
}

/** Long enough for TLS to a busy server on another continent. */
const defaultConnectTimeoutMs = 15 * secondMs;
/** RFC 5321, 4.5.3.2.6: a server may take 10 minutes over a message; giving up sooner would send the same mail twice. */
const defaultReplyTimeoutMs = 10 * minuteMs;
/** Servers close idle connections after minutes; closing first avoids writing into one that is just going. */
const idleTimeoutMs = 30 * secondMs;

/**
 * Sends by the server of `url`. The Message-ID is the mail's id at every try, so that receivers can fold a mail that
 * came twice. Throws StartTrouble at once when `from` has no address.
 */
export function smtpTransport(options: SmtpTransportOptions): MailTransport {
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const idHost = hostOf(options.from);
  const pool = createTransport({
    url: options.url,
    pool: true,
    requireTLS: options.requireTls ?? false,
    maxConnections: options.maxConnections ?? 5,
    // A connection lost after the message was handed over must not send it again behind our back.
    maxRequeues: 0,
    idleTimeout: idleTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: options.replyTimeoutMs ?? defaultReplyTimeoutMs,
    // A mail is made of our own text; it never reads a file or fetches an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Failures reach us by the mail they concern; without a listener they would end the process.
  pool.on("error", () => undefined);
  return {
    send: async (mail, signal) => {
      try {
        await pool.sendMail({ ...message(mail, options.from, idHost), signal });
      } catch (error) {
        throw isPermanent(error) ? new MailRefused((error as Error).message, error) : error;
      }
    },
    keepsBody: false,
    close: () => pool.close(),
  };
}

function message(mail: QueuedMail, from: string, idHost: string) {
  return {
    from,
    to: { name: "", address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    ...(mail.attachment ? { attachments: [attached(mail.attachment)] } : {}),
    messageId: `<${mail.id}@${idHost}>`,
    date: mail.createdAt,
    // Keeps out-of-office answers away (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

const attached = ({ name, type, base64 }: MailAttachment) => ({ filename: name, contentType: type, content: base64, encoding: "base64" });

/**
 * Only a 5xx about this recipient or this message is final. A 5xx to sign-in, greeting or sender speaks of our
 * settings, and an operator who mends them must not have lost the mails in between.
 */
function isPermanent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  return responseCode !== undefined && responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
}

function hostOf(from: string): string {
  const host = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1];
  if (!host) throw new StartTrouble(`MAIL_FROM is not a mail address: ${from}`);
  return host;
}
