/** The words that all mails share; the words of each mail are beside its template. */
export const mailWords = {
  brand: "Slipway",
  greeting: (name: string) => `Hi ${name},`,
  plainLink: "If the button doesn't work, open this address in your browser:",
  footer: "This email was sent by Slipway because your address was entered there.",
} as const;
