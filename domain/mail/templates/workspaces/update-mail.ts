/** The mails about the result of a version change. */
import { inGerman } from "#contract/sentences/in-german.ts";
import type { Mail } from "../../mail.ts";
import { mailWords, wordsFor, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const english = {
  button: "Open workspace settings",
  updated: {
    subject: (engine: string, to: string) => `Your workspace now runs ${engine} ${to}`,
    preview: "Nothing else has changed. You can roll back.",
    heading: (engine: string, to: string) => `Updated to ${engine} ${to}`,
    text: (account: string, engine: string, from: string, to: string) =>
      `Your workspace ${account} was updated from ${engine} ${from} to ${to}. We made a backup first. If something no longer works, you can roll back in the workspace settings. Anything created since the update would then be lost.`,
  },
  "taken-back": {
    subject: (engine: string, to: string) => `The update to ${engine} ${to} was undone`,
    preview: "Your workspace is running as before.",
    heading: (engine: string, to: string) => `The update to ${engine} ${to} was undone`,
    text: (account: string, engine: string, from: string, to: string) =>
      `Your workspace ${account} could not be updated to ${engine} ${to}, so it is back on ${from}, with everything as it was before the update.`,
  },
  stuck: {
    subject: (engine: string, to: string) => `The update to ${engine} ${to} failed and needs your attention`,
    preview: "Your workspace is not running.",
    heading: (engine: string, to: string) => `The update to ${engine} ${to} failed`,
    text: (account: string, engine: string, from: string, to: string) =>
      `Your workspace ${account} does not start on ${engine} ${to}, and rolling back to ${from} was not possible. Its data is kept as it is now. Restore one of its other backups on the Backups page, choose another version in the settings, or contact support.`,
  },
  back: {
    subject: (engine: string, to: string) => `Your workspace is back on ${engine} ${to}`,
    preview: "Everything is as it was before the update.",
    heading: (engine: string, to: string) => `Back on ${engine} ${to}`,
    text: (account: string, engine: string, from: string, to: string) =>
      `As you requested, your workspace ${account} was rolled back from ${engine} ${from} to ${to}. Everything is as it was before the update. We kept the state before the rollback as a backup.`,
  },
  "back-by-service": {
    subject: (engine: string, to: string) => `Your workspace is back on ${engine} ${to}`,
    preview: "We rolled back the update because of problems with it.",
    heading: (engine: string, to: string) => `Back on ${engine} ${to}`,
    text: (account: string, engine: string, from: string, to: string) =>
      `We found problems with ${engine} ${from}, so we rolled your workspace ${account} back to ${to}. Everything is as it was before the update. Anything created since then is in a backup that we made before the rollback. You find it on the Backups page.`,
  },
} as const;

const wordsIn = wordsFor(english, {
  button: "Einstellungen des Workspace öffnen",
  updated: {
    subject: (engine, to) => `Ihr Workspace läuft jetzt mit ${engine} ${to}`,
    preview: "Sonst hat sich nichts geändert. Sie können zurück.",
    heading: (engine, to) => `Auf ${engine} ${to} aktualisiert`,
    text: (account, engine, from, to) =>
      `Ihr Workspace ${account} wurde von ${engine} ${from} auf ${to} aktualisiert. Vorher haben wir ein Backup erstellt. Wenn etwas nicht mehr funktioniert, können Sie in den Einstellungen des Workspace zurück. Was seit dem Update entstanden ist, geht dabei verloren.`,
  },
  "taken-back": {
    subject: (engine, to) => `Das Update auf ${engine} ${to} wurde rückgängig gemacht`,
    preview: "Ihr Workspace läuft wie zuvor.",
    heading: (engine, to) => `Das Update auf ${engine} ${to} wurde rückgängig gemacht`,
    text: (account, engine, from, to) =>
      `Ihr Workspace ${account} konnte nicht auf ${engine} ${to} aktualisiert werden. Er läuft wieder mit ${from}, und alles ist wie vor dem Update.`,
  },
  stuck: {
    subject: (engine, to) => `Das Update auf ${engine} ${to} ist fehlgeschlagen und braucht Sie`,
    preview: "Ihr Workspace läuft nicht.",
    heading: (engine, to) => `Das Update auf ${engine} ${to} ist fehlgeschlagen`,
    text: (account, engine, from, to) =>
      `Ihr Workspace ${account} startet nicht mit ${engine} ${to}, und zurück zu ${from} ging es nicht. Seine Daten bleiben, wie sie jetzt sind. Stellen Sie auf der Seite „Backups“ ein anderes Backup wieder her, wählen Sie in den Einstellungen eine andere Version, oder schreiben Sie dem Support.`,
  },
  back: {
    subject: (engine, to) => `Ihr Workspace läuft wieder mit ${engine} ${to}`,
    preview: "Alles ist wie vor dem Update.",
    heading: (engine, to) => `Wieder mit ${engine} ${to}`,
    text: (account, engine, from, to) =>
      `Wie gewünscht ist Ihr Workspace ${account} von ${engine} ${from} zu ${to} zurückgekehrt, und alles ist wie vor dem Update. Den Stand davor haben wir als Backup aufbewahrt.`,
  },
  "back-by-service": {
    subject: (engine, to) => `Ihr Workspace läuft wieder mit ${engine} ${to}`,
    preview: "Wir haben das Update wegen Problemen zurückgenommen.",
    heading: (engine, to) => `Wieder mit ${engine} ${to}`,
    text: (account, engine, from, to) =>
      `Wir haben Probleme mit ${engine} ${from} festgestellt und Ihren Workspace ${account} deshalb auf ${to} zurückgesetzt. Alles ist wie vor dem Update. Was seitdem entstanden ist, enthält ein Backup, das wir vor der Rückkehr erstellt haben. Sie finden es auf der Seite „Backups“.`,
  },
});

export type UpdateOutcome = Exclude<keyof typeof english, "button">;

interface UpdateMail {
  to: string;
  fullName: string;
  language: MailLanguage;
  accountName: string;
  engineName: string;
  fromVersion: string;
  toVersion: string;
  /** Why it was rolled back. */
  reason: string | null;
  /** The workspace's settings. */
  link: string;
}

export function updateMail(outcome: UpdateOutcome, mail: UpdateMail): Promise<Mail> {
  const { language, accountName, engineName, fromVersion, toVersion } = mail;
  const { [outcome]: words, button } = wordsIn(language);
  return renderMail(mail.to, {
    language,
    subject: words.subject(engineName, toVersion),
    preview: words.preview,
    heading: words.heading(engineName, toVersion),
    blocks: [
      { kind: "paragraph", text: mailWords(language).greeting(oneLine(mail.fullName)) },
      { kind: "paragraph", text: words.text(accountName, engineName, fromVersion, toVersion) },
      ...(mail.reason ? [{ kind: "paragraph" as const, text: language === "de" ? inGerman(mail.reason) : mail.reason }] : []),
      { kind: "action", label: button, href: mail.link },
    ],
  });
}
