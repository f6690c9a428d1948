import { reservedAccountNames } from "#contract/accounts/reserved-names.ts";
import { isNameInUse } from "#domain/accounts/account-store.ts";
import type { Services } from "../services.ts";

/** Whether a name can be registered now. Names are public anyway: each is part of a workspace's URL. */
export async function isAccountNameFree({ db }: Services, name: string): Promise<boolean> {
  return !reservedAccountNames.has(name) && !(await isNameInUse(db, name));
}
