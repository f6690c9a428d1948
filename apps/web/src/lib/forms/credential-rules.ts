/** What may be entered into the forms about an address or a password. */
import { zodResolver } from "@hookform/resolvers/zod";
import { confirmPassword, forgotPassword, resetPassword } from "#contract/accounts/credential.ts";

/** The rule for the address is the same for every call of this kind. */
export const emailRules = zodResolver(forgotPassword.body);
export const passwordProofRules = zodResolver(confirmPassword.body);
export const newPasswordRules = zodResolver(resetPassword.body.pick({ password: true }));
