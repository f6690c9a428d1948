/** The way out for mails. */
import { inboxTransport } from "#domain/mail/sending/inbox-transport.ts";
import { needsTls } from "#domain/mail/sending/smtp-security.ts";
import { smtpTransport } from "#domain/mail/sending/smtp-transport.ts";
import type { MailTransport } from "#domain/mail/sending/transport.ts";
import type { Config } from "../settings/config.ts";

/** Every transport, null where its settings are absent; the first with settings is used. A new one is a file of `domain/mail` and a line here. */
const transports: readonly ((config: Config) => MailTransport | null)[] = [
  ({ smtpUrl, mailFrom, production }) =>
    smtpUrl ? smtpTransport({ url: smtpUrl, from: mailFrom, requireTls: production && needsTls(smtpUrl) }) : null,
];

/** The transport that the settings name; without one, the development inbox. */
export function createMailTransport(config: Config): MailTransport {
  return transports.map((create) => create(config)).find((transport) => transport !== null) ?? inboxTransport;
}
