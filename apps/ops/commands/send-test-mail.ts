import { MailRefused, MailServerTrouble } from "#domain/mail/sending/transport.ts";
import { secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { z } from "zod";
import { openSmtp } from "../../program/choices/create-mail-transport.ts";
import { CommandRefused, type Command } from "../command.ts";

const connectTimeoutMs = 10 * secondMs;
const answerTimeoutMs = 30 * secondMs;

/** What the kind of a failure means for customers' mails. */
function describeFailure(error: unknown): string {
  const reason = (error as Error).message;
  if (error instanceof MailRefused) return `It refused this mail; a customer's would be given up now. ${reason}`;
  if (error instanceof MailServerTrouble)
    return error.concernsAll
      ? `It takes no mail from us; customers' mails would wait until that is repaired. ${reason}`
      : `It takes no mail from us for this address; a customer's would be tried again for four days. ${reason}`;
  return `It did not take the mail now; a customer's would be tried again. ${reason}`;
}

/** Sends by the same code and settings as every mail, past the queue. */
export const sendTestMail: Command = {
  name: "send-test-mail",
  parameters: ["address"],
  summary: "Send one mail now, and print what the mail server answers",
  async run({ config, clock, print }, { arguments: [recipient = ""] }) {
    if (!z.email().safeParse(recipient).success) throw new CommandRefused(`${recipient} is not an email address.`);
    const transport = openSmtp(config, { maxConnections: 1, connectTimeoutMs, replyTimeoutMs: answerTimeoutMs });
    if (!transport) throw new CommandRefused("SMTP_URL is not set, so mails stay in the development inbox. See docs/mail.md.");
    const { mailFrom, publicUrl } = config;
    const now = clock.now();
    const text = `This is a test of the mail server of ${publicUrl}. In its headers, SPF, DKIM and DMARC should have passed.`;
    const mail = {
      id: newId(now.getTime()),
      recipient,
      subject: "Slipway test",
      text,
      html: `<p>${text}</p>`,
      createdAt: now,
      attempts: 0,
    };
    try {
      const answer = await transport.send(mail, AbortSignal.timeout(connectTimeoutMs + 2 * answerTimeoutMs));
      print(`The mail server took it from ${mailFrom}: ${answer}`);
      print("Look at its headers in the mailbox: SPF, DKIM and DMARC should have passed.");
    } catch (error) {
      throw new CommandRefused(`The mail server did not take it. ${describeFailure(error)}`);
    } finally {
      transport.close();
    }
  },
};
