import { noBreachedPasswords } from "#domain/passwords/breached-passwords.ts";
import { passwordRanges } from "#domain/passwords/password-ranges.ts";
import type { PasswordRules } from "#domain/passwords/password-rules.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Config } from "../settings/config.ts";

/** The password rules that depend on the settings. */
export function createPasswordRules({ publicUrl, seller, breachedPasswordsUrl }: Config, clock: Clock, log: Log): PasswordRules {
  return {
    operatorNames: [new URL(publicUrl).hostname, seller.name],
    breached: breachedPasswordsUrl ? passwordRanges({ url: breachedPasswordsUrl, clock, log }) : noBreachedPasswords,
  };
}
