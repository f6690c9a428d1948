/** The words of mails about exports. */
export const exportWords = {
  ready: {
    subject: "Your export is ready",
    preview: "Your workflows as files, to keep or to import elsewhere.",
    heading: "Your export is ready",
    ready: (account: string) => `The workflows of your workspace ${account} are ready to download.`,
    button: "Download the export",
    credentials: "Your credentials are in it, encrypted with the passphrase you chose. We do not know it and cannot recover it.",
    expiry: "The file is kept for 7 days. You log in to download it; each download link works once, for 5 minutes.",
    notYou: "You didn't ask for this? Somebody who can sign in to your account did. Log in and change your password.",
  },
} as const;
