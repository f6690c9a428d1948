import { expect, test } from "vitest";
import { everyMail, linksOf } from "#testing/mails/every-mail.ts";
import type { Mail } from "../mail.ts";
import type { MailLanguage } from "../rendering/mail-words.ts";
import { invitationMail } from "./workspaces/invitation-mail.ts";

const panel = "https://app.example.com";
const invitation = (language: MailLanguage): Promise<Mail> =>
  invitationMail({
    to: "ada@example.com",
    accountName: "acme",
    language,
    inviterName: "Bob",
    workspaceUrl: "https://acme.example.com",
    link: "https://acme.example.com/x?token=abc",
  });
/** Every mail whose reader's language is known. */
const mailsIn = (language: MailLanguage) => ({ ...everyMail(panel, language), invitation: () => invitation(language) });
const mails = Object.fromEntries(
  Object.keys(mailsIn(null)).map((name) => [
    name,
    (language: MailLanguage) => (mailsIn(language) as ReturnType<typeof everyMail>)[name]!(),
  ]),
);

test.each(Object.keys(mails))("the mail “%s” is German for a German reader, with the same links and without English", async (name) => {
  const [german, english, unknown] = [await mails[name]!("de"), await mails[name]!("en"), await mails[name]!(null)];
  expect(german.subject).not.toBe(english.subject);
  expect(unknown).toEqual(english);
  expect(german.html).toContain('lang="de"');
  expect(english.html).toContain('lang="en"');
  expect(linksOf(german)).toEqual(linksOf(english));
  expect(german.text).not.toMatch(/undefined|null|\b(your|the|and|you)\b/i);
  expect(english.text).not.toMatch(/[äöüß]/);
});

test("limits, numbers and days are written as Germans write them", async () => {
  const { text } = await mails["welcome"]!("de");
  expect(text).toContain("Enthalten sind 1.000 Ausführungen, 1 aktiver Workflow und unbegrenzt viele Personen.");
  expect(text).toContain("14 Tage, bis zum 5. Dezember 2026");
  expect((await mails["nearly"]!("de")).text).toContain("8.000 der 10.000 Ausführungen");
  expect((await mails["nearly"]!("de")).text).toContain("am 1. Dezember 2026");
});
