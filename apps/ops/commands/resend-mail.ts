import { remailInvoice } from "#domain/invoices/invoice-store.ts";
import { settledWithinMs } from "#domain/invoices/issuing/settle-waiting.ts";
import { resendMail as resend, type Resent } from "#domain/mail/resend-mail.ts";
import { after } from "#platform/clock.ts";
import { isId } from "#platform/ids.ts";
import { providerNames } from "#payments/providers.ts";
import { CommandRefused, type Command } from "../command.ts";

const refusals: Readonly<Record<Exclude<Resent, "queued">, string>> = {
  unknown:
    "There is no such mail, and no paid invoice of the last 90 days with this number. Mails are deleted 90 days after they were sent or given up.",
  waiting: "It is waiting to be sent already.",
  emptied:
    "It was sent, and its text was deleted then, because a mail may contain a link that signs in. The customer can request a new link; an invoice is sent again by its number.",
};

/** Sends one given-up mail, or the mail of an invoice, again. */
export const resendMail: Command = {
  name: "resend-mail",
  parameters: ["mail id or invoice number"],
  summary: "Send one mail that was given up, or the mail with this invoice, again",
  async run({ db, clock, print }, { arguments: [typed = ""] }) {
    const id = typed.toLowerCase();
    const since = after(clock.now(), -settledWithinMs);
    if (!isId(id) && (await remailInvoice(db, providerNames, typed, since))) return print(`${typed} is mailed again within two hours.`);
    const resent = isId(id) ? await resend(db, id, clock.now()) : "unknown";
    if (resent !== "queued") throw new CommandRefused(refusals[resent]);
    print("It is sent again within seconds.");
  },
};
