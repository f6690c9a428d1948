/** What may be entered into the registration form. */
import { zodResolver } from "@hookform/resolvers/zod";
import { registration } from "#contract/accounts/account.ts";
import { accountName } from "#contract/api/fields.ts";

export const registrationRules = zodResolver(registration);

export const isAccountName = (name: string): boolean => accountName.safeParse(name).success;
