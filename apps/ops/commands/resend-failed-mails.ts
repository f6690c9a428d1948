import { resendFailedMails as resend } from "#domain/mail/resend-failed-mails.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Enough for a weekend. Links in mails expire within a day; only invitations last longer. */
const usualDays = 7;

/** Makes failed mails due again; the running service sends them. */
export const resendFailedMails: Command = {
  name: "resend-failed-mails",
  options: { days: { type: "string", summary: `the maximum age of a mail in days, ${usualDays} by default` } },
  summary: "Resend the mails that failed, once the mail server works again",
  async run({ db, clock, print }, { options }) {
    const days = Number(options["days"] ?? usualDays);
    if (!(days > 0 && days <= 90)) throw new CommandRefused("--days must be a number up to 90. Older mails are deleted.");
    const { resent, stale } = await resend(db, clock.now(), days);
    print(resent === 1 ? "1 mail will be resent." : `${resent} mails will be resent.`);
    if (stale > 0) print(`Not resent because they are older than ${days} days: ${stale}.`);
  },
};
