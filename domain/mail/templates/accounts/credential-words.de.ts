/** The mails about passwords, addresses and signing in, in German. */
import type { CredentialWords } from "./credential-words.ts";

export const germanCredentialWords: CredentialWords = {
  confirmEmail: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    preview: "Bestätigen Sie Ihre Adresse, um Ihren Workspace einzurichten.",
    heading: "Bestätigen Sie Ihre E-Mail-Adresse",
    welcome: "Willkommen bei Slipway. Bestätigen Sie, dass diese Adresse Ihnen gehört, um Ihren Workspace einzurichten.",
    button: "E-Mail-Adresse bestätigen",
    expiry: "Der Link gilt 24 Stunden. Danach melden Sie sich an und fordern einen neuen an.",
    notYou:
      "Haben Sie das nicht angefordert? Wahrscheinlich hat sich jemand bei der eigenen Adresse vertippt. Ignorieren Sie diese E-Mail, und es passiert nichts.",
  },
  resetPassword: {
    subject: "Neues Passwort wählen",
    preview: "Der Link gilt einmal und eine Stunde lang.",
    heading: "Neues Passwort wählen",
    asked: (account: string) =>
      `Jemand hat ein neues Passwort für Ihr Konto ${account} angefordert. Wenn Sie das waren, wählen Sie hier eines.`,
    button: "Neues Passwort wählen",
    expiry: "Der Link gilt einmal und eine Stunde lang. Mit dem neuen Passwort werden Sie auf allen Geräten abgemeldet.",
    notYou: "Haben Sie das nicht angefordert? Ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.",
  },
  memberPassword: {
    subject: (account: string) => `Neues Passwort für den Workspace ${account} wählen`,
    preview: "Der Link gilt 20 Minuten.",
    heading: "Neues Passwort wählen",
    asked: (account: string, address: string) => `Sie haben ein neues Passwort für den Workspace ${account} unter ${address} angefordert.`,
    button: "Neues Passwort wählen",
    expiry: "Der Link gilt 20 Minuten. Einen weiteren erhalten Sie im Workspace über „Forgot your password?“.",
    notYou: "Haben Sie das nicht angefordert? Ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.",
  },
  passwordChanged: {
    subject: "Ihr Passwort wurde geändert",
    preview: "Wenn Sie das nicht waren, handeln Sie jetzt.",
    heading: "Ihr Passwort wurde geändert",
    changed: (account: string) => `Das Passwort Ihres Kontos ${account} wurde gerade geändert. Alle anderen Geräte wurden abgemeldet.`,
    notYou: "Waren Sie das nicht? Wählen Sie jetzt ein neues Passwort:",
    button: "Neues Passwort wählen",
  },
  mailboxClaimed: {
    subject: "Wählen Sie ein neues Passwort für Ihr Konto",
    preview: "Ihre E-Mail-Adresse ist bestätigt. Das alte Passwort gilt nicht mehr.",
    heading: "Ihre E-Mail-Adresse ist bestätigt",
    confirmed: (account: string) =>
      `Sie haben die E-Mail-Adresse des Kontos ${account} bestätigt, indem Sie einen Link in diesem Postfach geöffnet haben.`,
    ended:
      "Weil wir nicht erkennen konnten, ob Sie das Konto selbst registriert haben, haben wir alle anderen Geräte abgemeldet, seine Einladungen zurückgezogen und sein altes Passwort ungültig gemacht.",
    button: "Neues Passwort wählen",
    notYou: "Sie können auch im Panel unter „Anmeldung und Sicherheit“ eines wählen.",
  },
  changeEmail: {
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
    preview: "Der Link gilt einmal und eine Stunde lang.",
    heading: "Bestätigen Sie Ihre neue E-Mail-Adresse",
    asked: (account: string, email: string) =>
      `Das Konto ${account} soll künftig ${email} verwenden. Bestätigen Sie, dass diese Adresse Ihnen gehört.`,
    button: "Neue Adresse bestätigen",
    expiry: "Der Link gilt einmal und eine Stunde lang. Bis dahin behält das Konto seine alte Adresse.",
    notYou: "Kennen Sie dieses Konto nicht? Ignorieren Sie diese E-Mail, und es passiert nichts.",
  },
  emailTaken: {
    subject: "Sie haben bereits ein Konto",
    preview: "Jemand wollte Ihre Adresse für ein anderes Konto verwenden.",
    heading: "Sie haben bereits ein Konto",
    asked: (email: string) =>
      `Jemand wollte ${email} für ein anderes Konto verwenden. Das geht nicht, weil es mit dieser Adresse bereits ein Konto gibt. Es hat sich nichts geändert.`,
    hint: "Waren Sie das? Melden Sie sich mit dieser Adresse an, um jenes Konto zu verwenden.",
    button: "Anmelden",
    notYou: "Waren Sie das nicht? Sie müssen nichts tun.",
  },
  emailChangeAsked: {
    subject: "Ihre E-Mail-Adresse wird geändert",
    preview: "Wenn Sie das nicht waren, handeln Sie jetzt.",
    heading: "Ihre E-Mail-Adresse wird geändert",
    asked: (account: string, masked: string) =>
      `Jemand, der das Passwort Ihres Kontos ${account} kennt, möchte diese Adresse durch ${masked} ersetzen. Sie wird geändert, sobald jene Adresse bestätigt ist.`,
    notYou: "Waren Sie das nicht? Wählen Sie jetzt ein neues Passwort. Das bricht auch die Änderung ab.",
    button: "Neues Passwort wählen",
  },
  emailChanged: {
    subject: "Ihre E-Mail-Adresse wurde geändert",
    preview: "Wenn Sie das nicht waren, schreiben Sie dem Support.",
    heading: "Ihre E-Mail-Adresse wurde geändert",
    changed: (account: string, masked: string) => `Ihr Konto ${account} verwendet jetzt ${masked}. Diese Adresse gehört nicht mehr dazu.`,
    notYou: "Waren Sie das nicht? Schreiben Sie jetzt dem Support.",
  },
  magicLink: {
    subject: "Ihr Anmeldelink",
    preview: "Der Link gilt einmal und 10 Minuten lang.",
    heading: "Bei Slipway anmelden",
    asked: "Hier ist der Link, den Sie angefordert haben. Er meldet Sie ohne Passwort an.",
    button: "Anmelden",
    expiry: "Der Link gilt einmal und 10 Minuten lang.",
    notYou: "Haben Sie das nicht angefordert? Ignorieren Sie diese E-Mail, und geben Sie sie nicht weiter.",
    workspace: {
      none: "Sie haben noch keinen Workspace. Nach der Anmeldung können Sie einen einrichten.",
      online: (address: string) => `Ihr Workspace ${address} ist online.`,
      pending: (address: string) => `Ihr Workspace ${address} übernimmt Änderungen. Das dauert einen Moment.`,
      offline: (address: string) =>
        `Ihr Workspace ${address} ist offline. Er antwortet nicht, und wir starten ihn neu. Im Panel können Sie den Fortschritt verfolgen oder ihn selbst neu starten.`,
      stopped: (address: string) =>
        `Ihr Workspace ${address} ist gestoppt. Ihre Daten bleiben erhalten. Im Panel sehen Sie den Grund und können ihn wieder starten.`,
    },
  },
};
