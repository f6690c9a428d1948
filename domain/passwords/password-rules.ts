/** What a chosen password is held against beside its length, as far as an operator's settings decide it. */
import type { BreachedPasswords } from "./breached-passwords.ts";

export interface PasswordRules {
  /** Names of whoever runs this service: the panel's host, the seller. */
  operatorNames: readonly string[];
  breached: BreachedPasswords;
}
