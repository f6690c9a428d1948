/** Selects how mails are sent. */
import { inboxTransport } from "#domain/mail/sending/inbox-transport.ts";
import { needsTls } from "#domain/mail/sending/smtp-security.ts";
import { smtpTransport, type SmtpLimits } from "#domain/mail/sending/smtp-transport.ts";
import type { MailTransport } from "#domain/mail/sending/transport.ts";
import type { Config } from "../settings/config.ts";

/**
 * Every transport, null if its settings are absent. The first one with settings is used. A new one is a file in
 * `domain/mail` and a line here.
 */
const transports: readonly ((config: Config) => MailTransport | null)[] = [(config) => openSmtp(config)];

/** Through SMTP_URL, in production with TLS unless the server is on this machine; null without one. `limits` replace the usual ones. */
export function openSmtp(
  { smtpUrl, mailFrom, production }: Pick<Config, "smtpUrl" | "mailFrom" | "production">,
  limits: SmtpLimits = {},
): MailTransport | null {
  return smtpUrl ? smtpTransport({ url: smtpUrl, from: mailFrom, requireTls: production && needsTls(smtpUrl), ...limits }) : null;
}

/** The transport named by the settings; otherwise the development inbox. */
export function createMailTransport(config: Config): MailTransport {
  return transports.map((create) => create(config)).find((transport) => transport !== null) ?? inboxTransport;
}
