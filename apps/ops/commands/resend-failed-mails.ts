import { resendFailedMails as resend } from "#domain/mail/resend-failed-mails.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Links in mails live for a day at most, invitations for longer; over a weekend nobody looks. */
const usualDays = 3;

/** Lets the mails that were given up be tried again by the running service. */
export const resendFailedMails: Command = {
  name: "resend-failed-mails",
  options: { days: { type: "string", summary: `how old a mail may be, ${usualDays} days unless given` } },
  summary: "Send the mails again that were given up, after the mail server was mended",
  async run({ db, clock, print }, { options }) {
    const days = Number(options["days"] ?? usualDays);
    if (!(days > 0 && days <= 90)) throw new CommandRefused("--days must be a number of days, at most 90: older mails are deleted.");
    const { resent, stale } = await resend(db, clock.now(), days);
    print(resent === 1 ? "1 mail is sent again." : `${resent} mails are sent again.`);
    if (stale > 0) print(`Older than ${days} days, and left as they are: ${stale}.`);
  },
};
