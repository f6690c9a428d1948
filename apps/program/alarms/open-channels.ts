/** Where alarms go, by the settings. */
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { openSmtp } from "../choices/create-mail-transport.ts";
import type { Config } from "../settings/config.ts";
import type { AlarmChannels } from "./send-notice.ts";

const connectTimeoutMs = 10 * secondMs;
const replyTimeoutMs = 20 * secondMs;

/** Null without ALERTS_URL and ALERTS_TO. The caller closes `mail`. */
export function openAlarmChannels(config: Config, log: Log): AlarmChannels | null {
  const { alerts, publicUrl } = config;
  if (!alerts) return null;
  const mail = alerts.to.length > 0 ? openSmtp(config, { maxConnections: 1, connectTimeoutMs, replyTimeoutMs }) : null;
  return { url: alerts.url, to: alerts.to, mail, service: publicUrl, log };
}
