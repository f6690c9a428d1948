/** The sentences of fields behind the sign-in. Imported by contract/routes.ts for the server, and with the panel's words for the panel. */
import { addFieldWords } from "./field-words.ts";

export const lateFieldWords = {
  "email.same": "The new address must differ from the current one.",
  "current_password.wrong": "This is not your current password.",
  "timezone.invalid": "Choose a timezone from the list.",
  "passphrase.required": "Enter a passphrase.",
  "passphrase.length": "The passphrase must have 12 to 200 characters.",
  "passphrase.mismatch": "The passphrases differ, check for typing errors.",
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
} as const;

addFieldWords(lateFieldWords);
