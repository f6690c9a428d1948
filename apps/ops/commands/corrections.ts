import { listCorrections } from "#domain/billing/count-correction.ts";
import { after, dayMs } from "#platform/clock.ts";
import { CommandRefused, type Command } from "../command.ts";

const most = 500;

/** Shows where billing and the payment provider differed. */
export const correctionList: Command = {
  name: "corrections",
  options: { days: { type: "string", summary: "how many days to go back; 30 by default" } },
  summary: "Show where billing and the payment provider differed, for which account, newest first",
  async run({ db, clock, print }, { options }) {
    const days = Number(options["days"] ?? 30);
    if (!Number.isInteger(days) || days < 1 || days > 400) throw new CommandRefused("--days must be from 1 to 400.");
    const found = await listCorrections(db, after(clock.now(), -days * dayMs), most);
    if (found.length === 0) return print("No corrections.");
    for (const { at, kind, detail, accountName, accountId } of found)
      print(`${at.toISOString()}  ${kind}  ${accountName ? `${accountName} (${accountId})` : "no account"}: ${detail}`);
    if (found.length === most) print(`Only the newest ${most} are shown.`);
  },
};
