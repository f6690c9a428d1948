/** Rules for new passwords, besides the length, that depend on the operator's settings. */
import type { BreachedPasswords } from "./breached-passwords.ts";

export interface PasswordRules {
  /** Names of the operator: the panel's host, the seller. */
  operatorNames: readonly string[];
  breached: BreachedPasswords;
}
