/** Tells password managers whose password a form is about, where it does not ask for that. Hidden from everybody else. */
export const AccountOfPassword = ({ email }: { email: string | undefined }) =>
  email ? <input type="text" name="username" autoComplete="username" value={email} readOnly hidden /> : null;
