/** Where alarms go, by the settings. */
import { needsTls } from "#domain/mail/sending/smtp-security.ts";
import { smtpTransport } from "#domain/mail/sending/smtp-transport.ts";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Config } from "../settings/config.ts";
import type { AlarmChannels } from "./send-notice.ts";

const connectTimeoutMs = 10 * secondMs;
const replyTimeoutMs = 20 * secondMs;

/** Null without ALERTS_URL and ALERTS_TO. The caller closes `mail`. */
export function openAlarmChannels({ alerts, publicUrl, smtpUrl, mailFrom, production }: Config, log: Log): AlarmChannels | null {
  if (!alerts) return null;
  const mail =
    smtpUrl && alerts.to.length > 0
      ? smtpTransport({
          url: smtpUrl,
          from: mailFrom,
          requireTls: production && needsTls(smtpUrl),
          maxConnections: 1,
          connectTimeoutMs,
          replyTimeoutMs,
        })
      : null;
  return { url: alerts.url, to: alerts.to, mail, service: publicUrl, log };
}
