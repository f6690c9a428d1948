import { listDown, listFailedBackups, listGivenUpMails } from "#domain/signals/list-troubles.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { alarmKinds, type AlarmKindName } from "../../program/alarms/alarm-kinds.ts";
import { readConditions } from "../../program/alarms/read-conditions.ts";
import type { Command } from "../command.ts";

/** More would be one trouble with one cause. */
const mostListed = 50;

/** The first look of somebody who was called: what the alarms know, and by name what they count. */
export const troubles: Command = {
  name: "troubles",
  summary: "Show what is wrong now: alarms with what to do, workspaces that are down, failed backups, and mails that were given up",
  async run({ db, clock, print }) {
    const now = clock.now();
    const conditions = await readConditions(db, now);
    const down = await listDown(db, mostListed);
    const failed = await listFailedBackups(db, now, mostListed);
    const mails = await listGivenUpMails(db, now, mostListed);
    for (const { kind, detail } of conditions) {
      const { title, todo, runbook } = alarmKinds[kind as AlarmKindName];
      print(`${title}. ${detail}`);
      print(`  ${todo} ${runbook}`);
    }
    const list = (heading: string, lines: readonly string[]): void => {
      if (lines.length === 0) return;
      print(`${heading}:`);
      for (const line of lines) print(`  ${line}`);
    };
    list(
      "Down now (npm run ops -- workspace NAME says why)",
      down.map(({ accountName, host, state, reasonCode, failures }) =>
        [accountName, state, reasonCode, failures > 0 && `${failures} failures`, host && `on ${host}`].filter(Boolean).join("  "),
      ),
    );
    list(
      "Newest backup failed",
      failed.map(({ accountName, createdAt, kind, reason }) => `${accountName}  ${stamp(createdAt)}  ${kind}  ${reason ?? "no reason"}`),
    );
    list(
      "Mails given up (npm run ops -- resend-mail ID)",
      mails.map(({ id, recipient, subject, lastError }) => `${id}  ${recipient}  ${subject}  ${lastError ?? ""}`.trimEnd()),
    );
    if (conditions.length + down.length + failed.length + mails.length === 0) print("Nothing is wrong that the service knows of.");
  },
};
