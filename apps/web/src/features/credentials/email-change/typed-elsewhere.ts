/** The address that was typed into the sign-in form before its link to this page was followed; an account name is not one. */
export const typedElsewhere = (state: unknown): { typed?: string } => {
  const email = (state as { email?: unknown } | null)?.email;
  return typeof email === "string" && email.includes("@") ? { typed: email } : {};
};
