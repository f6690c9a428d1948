/** The mail that says that an export is ready. */
import { downloadLinkMinutes, exportDays } from "#contract/workspaces/backup.ts";
import type { Mail } from "../../mail.ts";
import { mailWords, wordsFor, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const english = {
  subject: "Your export is ready",
  preview: "Your workflows as files, to keep or import elsewhere.",
  heading: "Your export is ready",
  ready: (account: string) => `The workflows of your workspace ${account} are ready to download.`,
  button: "Download the export",
  credentials: "Your credentials are included, encrypted with the passphrase you chose. We do not know it and cannot recover it.",
  expiry: `The file is kept for ${exportDays} days. Sign in to download it. Each download link works once and expires in ${downloadLinkMinutes} minutes.`,
  notYou: "Didn't ask for this? Someone who can sign in to your account did. Sign in and change your password.",
} as const;

const wordsIn = wordsFor(english, {
  subject: "Ihr Export ist fertig",
  preview: "Ihre Workflows als Dateien, zum Aufbewahren oder zum Import anderswo.",
  heading: "Ihr Export ist fertig",
  ready: (account) => `Die Workflows Ihres Workspace ${account} stehen zum Download bereit.`,
  button: "Export herunterladen",
  credentials:
    "Ihre Zugangsdaten sind enthalten, verschlüsselt mit der Passphrase, die Sie gewählt haben. Wir kennen sie nicht und können sie nicht wiederherstellen.",
  expiry: `Die Datei wird ${exportDays} Tage lang aufbewahrt. Melden Sie sich an, um sie herunterzuladen. Jeder Download-Link gilt einmal und ${downloadLinkMinutes} Minuten lang.`,
  notYou:
    "Haben Sie das nicht angefordert? Jemand, der sich bei Ihrem Konto anmelden kann, hat es getan. Melden Sie sich an, und ändern Sie Ihr Passwort.",
});

interface ExportMail {
  to: string;
  fullName: string;
  language: MailLanguage;
  accountName: string;
  /** The page to download it, which requires signing in: the mail itself opens nothing. */
  link: string;
  withCredentials: boolean;
}

/** Renders the mail. */
export function exportReadyMail({ to, fullName, language, accountName, link, withCredentials }: ExportMail): Promise<Mail> {
  const words = wordsIn(language);
  return renderMail(to, {
    language,
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    blocks: [
      { kind: "paragraph", text: mailWords(language).greeting(oneLine(fullName)) },
      { kind: "paragraph", text: words.ready(accountName) },
      { kind: "action", label: words.button, href: link },
      ...(withCredentials ? [{ kind: "note" as const, text: words.credentials }] : []),
      { kind: "note", text: words.expiry },
      { kind: "note", text: words.notYou },
    ],
  });
}
