/** A start that fails has no loop that could raise an alarm, and a supervisor repeats it quietly. */
import { join } from "node:path";
import { systemClock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { StartStopped, StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "../settings/config.ts";
import { createLocalAlarm } from "./local-alarm.ts";
import { openAlarmChannels } from "./open-channels.ts";

/** Sends that the program cannot start, or with null that it can again. Never rejects. */
export async function reportStart(config: Config, log: Log, error: unknown): Promise<void> {
  if (error instanceof StartStopped) return;
  const channels = openAlarmChannels(config, log);
  if (!channels) return;
  const alarm = createLocalAlarm(join(config.dataDir, "start-alarm.json"), "cannot-start", channels, systemClock);
  // Only a trouble has a message that is meant for people; others may contain anything.
  const detail = error instanceof StartTrouble ? error.message : "An unexpected error, which the log has.";
  try {
    await (error === null ? alarm.clear("It has started.") : alarm.raise(detail, systemClock.now()));
  } catch (err) {
    log.error({ err }, "an alarm about the start could not be remembered, so it was not sent");
  } finally {
    channels.mail?.close();
  }
}
