import { openAlarmChannels } from "../../program/alarms/open-channels.ts";
import { describeNotice, sendNotice } from "../../program/alarms/send-notice.ts";
import { newId } from "#platform/ids.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Sends what an alarm would send, by the same code. */
export const alertTest: Command = {
  name: "alert-test",
  summary: "Send a test alarm to ALERTS_URL and ALERTS_TO",
  async run({ config, clock, log, print }) {
    const channels = openAlarmChannels(config, log);
    if (!channels) throw new CommandRefused("Neither ALERTS_URL nor ALERTS_TO is set, so alarms go nowhere. See docs/settings.md.");
    const now = clock.now();
    const notice = { id: newId(now.getTime()), kind: "test", event: "test" as const, detail: "Nothing is wrong.", since: now };
    const results = await sendNotice(describeNotice(notice, channels.service, now), channels).finally(() => channels.mail?.close());
    for (const { channel, problem } of results) print(problem === null ? `Sent: ${channel}.` : `Not sent: ${channel} (${problem}).`);
    if (results.some(({ problem }) => problem !== null)) throw new CommandRefused("Not every alarm would arrive.");
  },
};
