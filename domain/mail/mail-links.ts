/** Where the buttons of mails lead: pages of the panel, all of them here, so that a test opens each. */

export const mailLinks = (publicUrl: string) => ({
  billing: `${publicUrl}/manage/billing`,
  plans: `${publicUrl}/account/change-plan`,
  dashboard: `${publicUrl}/dashboard`,
  exports: `${publicUrl}/manage/export`,
  versions: `${publicUrl}/manage/versions`,
  login: `${publicUrl}/login`,
  /** Also for who is signed in: the mail that has it says that somebody else may be. */
  forgotPassword: `${publicUrl}/forgot-password`,
  confirmEmail: (token: string) => `${publicUrl}/confirm-email?token=${token}`,
  changeEmail: (token: string) => `${publicUrl}/change-email?token=${token}`,
  /** Password managers need the address, in the part that no server is sent. */
  resetPassword: (token: string, email: string) => `${publicUrl}/reset-password?token=${token}#${encodeURIComponent(email)}`,
  magicLink: (token: string) => `${publicUrl}/magic-link?code=${token}`,
});
export type MailLinks = ReturnType<typeof mailLinks>;
