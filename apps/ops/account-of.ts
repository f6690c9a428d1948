import { findAccountId } from "#domain/accounts/account-store.ts";
import { CommandRefused, type OpsContext } from "./command.ts";

/** The id of the account with this email address or account name, in any case. Throws CommandRefused if there is none. */
export async function accountOf({ db }: Pick<OpsContext, "db">, login: string): Promise<string> {
  const accountId = await findAccountId(db, login.toLowerCase());
  if (!accountId) throw noAccount(login);
  return accountId;
}

export const noAccount = (login: string): CommandRefused =>
  new CommandRefused(`No account has the email address or account name ${login}.`);
