/** Words of the sign-in page for its other ways in. */
export const loginExtraWords = {
  forgot: "Forgot password?",
  magicLink: "Email me a sign-in link",
  technical: "You could not be logged in. Please try again.",
  strange: "Something went wrong...",
  publisherAction: "Create a new account",
} as const;

export const codeWords = { failed: "Could not log in user with authentication code" } as const;
