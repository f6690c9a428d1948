/** Selects how mails are sent. */
import { inboxTransport } from "#domain/mail/sending/inbox-transport.ts";
import { needsTls } from "#domain/mail/sending/smtp-security.ts";
import { smtpTransport } from "#domain/mail/sending/smtp-transport.ts";
import type { MailTransport } from "#domain/mail/sending/transport.ts";
import type { Config } from "../settings/config.ts";

/**
 * Every transport, null if its settings are absent. The first one with settings is used. A new one is a file in
 * `domain/mail` and a line here.
 */
const transports: readonly ((config: Config) => MailTransport | null)[] = [
  ({ smtpUrl, mailFrom, production }) =>
    smtpUrl ? smtpTransport({ url: smtpUrl, from: mailFrom, requireTls: production && needsTls(smtpUrl) }) : null,
];

/** The transport named by the settings; otherwise the development inbox. */
export function createMailTransport(config: Config): MailTransport {
  return transports.map((create) => create(config)).find((transport) => transport !== null) ?? inboxTransport;
}
