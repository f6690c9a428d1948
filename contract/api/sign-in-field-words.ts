/** The sentences of the sign-in page's fields, separate from the others, which that page does not load. */
export const signInFieldWords = {
  "password.required": "Enter a password.",
  "password.length": "The password must have 8 to 64 characters.",
  "login.required": "Enter your account name or email address.",
  "token.required": "The link is incomplete. Open it again from the email.",
  "value.invalid": "This value is not valid.",
} as const;
