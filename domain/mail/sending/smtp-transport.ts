/** Sends mails by SMTP, over a few connections that are kept open. */
import { createTransport } from "nodemailer";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { MailAttachment, QueuedMail } from "../mail.ts";
import { judgeAnswer, type SmtpFailure } from "./smtp-answer.ts";
import { MailRefused, MailServerTrouble, type MailTransport } from "./transport.ts";

/** Of the connections to the server. */
export interface SmtpLimits {
  maxConnections?: number;
  connectTimeoutMs?: number;
  /** A server silent for this long counts as a failure. */
  replyTimeoutMs?: number;
}

interface SmtpTransportOptions extends SmtpLimits {
  /** `smtp://` uses TLS if the server offers it, `smtp://…?requireTLS=true` requires it, `smtps://` starts with it. */
  url: string;
  /** MAIL_FROM: an address, or `Name <address>`. */
  from: string;
  /** TLS or no mail, also for `smtp://`; the certificate is always checked. */
  requireTls?: boolean;
}

/** Long enough for TLS to a busy server on another continent. */
const defaultConnectTimeoutMs = 15 * secondMs;
/** RFC 5321, 4.5.3.2.6: a server may take 10 minutes to accept a message; giving up sooner would send the same mail twice. */
const defaultReplyTimeoutMs = 10 * minuteMs;
/** Servers close idle connections after minutes; closing first avoids writing into one that is being closed. */
const idleTimeoutMs = 30 * secondMs;

/**
 * Sends through the server of `url`. The Message-ID is the mail's id at every attempt, so that mailboxes can merge
 * duplicates. Throws StartTrouble immediately if `from` has no address.
 */
export function smtpTransport(options: SmtpTransportOptions): MailTransport {
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const idHost = hostOf(options.from);
  const pool = createTransport({
    url: options.url,
    pool: true,
    requireTLS: options.requireTls ?? false,
    maxConnections: options.maxConnections ?? 5,
    // After a connection is lost with the message handed over, the library must not send it again.
    maxRequeues: 0,
    idleTimeout: idleTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: options.replyTimeoutMs ?? defaultReplyTimeoutMs,
    // A mail consists of our own text; it never reads a file or fetches a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Failures are reported with their mail; without a listener they would end the process.
  pool.on("error", () => undefined);
  return {
    send: async (mail, signal) => {
      try {
        const { response } = await pool.sendMail({ ...message(mail, options.from, idHost), signal });
        return response;
      } catch (error) {
        throw asOurs(error as Error & SmtpFailure);
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
    // Prevents out-of-office replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

const attached = ({ name, type, base64 }: MailAttachment) => ({ filename: name, contentType: type, content: base64, encoding: "base64" });

/** The failure by what it is about. Mails must not be lost before an operator corrects what concerns us. */
function asOurs(error: Error & SmtpFailure): Error {
  const about = judgeAnswer(error);
  if (about === "later") return error;
  if (about === "final" || about === "refused") return new MailRefused(error.message, { isUnambiguous: about === "final", cause: error });
  return new MailServerTrouble(error.message, { concernsAll: about === "any-mail", cause: error });
}

function hostOf(from: string): string {
  const host = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1];
  if (!host) throw new StartTrouble(`MAIL_FROM is not a mail address: ${from}. Set it to one, such as Slipway <no-reply@example.com>.`);
  return host;
}
