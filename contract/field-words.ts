/**
 * Every way a field can be wrong, and the sentence a person reads. Zod rules carry the code, so that the
 * API answers with both and the panel can show the sentence beside the field. Sources: SPEC §5.
 */
export const fieldWords = {
  "account_name.required": "Choose an account name.",
  "account_name.length": "The account name must have 3 to 25 characters.",
  "account_name.characters": "Use lowercase letters, digits and '-' only.",
  "account_name.start": "The account name must start with a letter.",
  "account_name.end": "The account name must end with a letter or a digit.",
  "account_name.taken": "This account name is already taken.",
  "full_name.required": "Enter your full name.",
  "full_name.length": "The full name must have at most 120 characters.",
  "full_name.characters": "The full name must not contain & < > ! ` / = { } ; : . \" or \\.",
  "email.required": "Enter your email address.",
  "email.length": "The email address must have at least 6 characters.",
  "email.invalid": "Enter a valid email address",
  "email.mismatch": "Email doesn't match, check for spelling errors.",
  "email.taken": "There is already an account with this email address. Log in instead?",
  "email.same": "The new address must differ from the current one.",
  "current_password.wrong": "This is not your current password.",
  "password.required": "Enter a password.",
  "password.length": "The password must have 8 to 64 characters.",
  "challenge.required": "Please check the checkbox.",
  "challenge.invalid": "The check did not succeed. Please check the checkbox again.",
  "challenge.expired": "The check has expired. Please check the checkbox again.",
  "login.required": "Enter your account name or email address.",
  "timezone.invalid": "Choose a timezone from the list.",
  "token.required": "The link is incomplete. Open it again from the email.",
  "emails.required": "Enter at least one email address.",
  "emails.too_many": "Invite at most 50 people at once.",
  "invite.own_address": "This is your own address.",
  "invite.already_invited": "This person is already invited.",
  "invite.already_accepted": "This person has already joined.",
  "version.unknown": "Choose a version from the list.",
  "version.downgrade": "Your workspace cannot go back to this version: its database has changed since.",
  "executions.invalid": "Enter a whole number.",
  "executions.too_few": "Keep at least 100 executions.",
  "executions.too_many": "Keep at most 10,000 executions.",
  "executions.over_plan": "Your plan keeps fewer executions than that.",
  "account_name.confirmation": "Type the name of your account exactly as shown.",
  "passphrase.required": "Enter a passphrase.",
  "passphrase.length": "The passphrase must have 12 to 200 characters.",
  "passphrase.mismatch": "The passphrases differ, check for typing errors.",
  "survey.too_long": "Use at most 200 characters.",
  "apps.too_many": "Choose at most 500 apps.",
  "quota.required": "Enter a number.",
  "quota.numeric": "Enter a whole number.",
  "quota.too_small": "This is less than the plan allows.",
  "quota.too_large": "This is more than the plan allows.",
  "quota.step": "Choose one of the steps that the plan is sold in.",
  "idempotency_key.required": "Send an Idempotency-Key header: a new one for each thing to be done, the same one when the call is repeated.",
  "idempotency_key.invalid": "An Idempotency-Key has 1 to 64 visible characters.",
  "billing_name.required": "Enter the name for your invoices.",
  "billing_name.length": "The name must have at most 120 characters.",
  "billing_country.required": "Choose a country.",
  "vat_id.invalid": "Enter the VAT id with its country letters, such as DE123456789.",
  "value.invalid": "This value is not valid.",
} as const;

export type FieldCode = keyof typeof fieldWords;

/** The sentence for a field code; an unknown code (zod's own text) is shown as a plain "not valid". */
export function fieldMessage(code: string): string {
  return code in fieldWords ? fieldWords[code as FieldCode] : fieldWords["value.invalid"];
}
