/** Every word of every mail, in English; templates hold none. */
export const mailWords = {
  brand: "Slipway",
  greeting: (name: string) => `Hi ${name},`,
  plainLink: "If the button does not work, open this address in your browser:",
  footer: "This email was sent by Slipway because your address was entered there.",
  confirmEmail: {
    subject: "Confirm your email address",
    preview: "One click, and your workspace can be set up.",
    heading: "Confirm your email address",
    welcome: "Welcome to Slipway. Confirm that this address is yours, and your workspace can be set up.",
    button: "Confirm email address",
    expiry: "The link works for 24 hours. After that, log in and ask for a new one.",
    notYou: "You didn't ask for this? Somebody probably mistyped their own address. Ignore this email and nothing happens.",
  },
  invitation: {
    subject: (inviter: string, account: string) => `${inviter} invited you to their workspace ${account}`,
    preview: "Choose a name and a password, and you are in.",
    heading: "You are invited",
    invited: (inviter: string, account: string) =>
      `${inviter} invited you to their workspace ${account}, where they build automations. Choose a name and a password, and you can build there too.`,
    button: "Join the workspace",
    ownSpace: "You get your own space there, for your own workflows and credentials.",
    address: (address: string) => `The workspace is at ${address}. From now on you log in there.`,
    notYou: "You don't know this person? Ignore this email and nothing happens.",
  },
} as const;
