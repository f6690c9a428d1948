import { reservedAccountNames } from "#contract/accounts/reserved-names.ts";
import { isNameInUse } from "#domain/accounts/account-store.ts";
import type { Services } from "../services.ts";

/** Whether a name could be registered now. Names are public anyway: each is the address of a workspace. */
export async function isAccountNameFree({ db }: Services, name: string): Promise<boolean> {
  return !reservedAccountNames.has(name) && !(await isNameInUse(db, name));
}
