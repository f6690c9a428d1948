import { eq } from "drizzle-orm";
import { accounts, workspaces } from "#database/tables.ts";
import { registerConfirmed, type TestApi } from "../test-api.ts";

/** A new owner who has confirmed their address and requested a workspace, which no worker has started. */
export async function setUpOwner(api: TestApi) {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const accountName = String(form["accountName"]);
  const [ids] = await api.database.db
    .select({ accountId: accounts.id, workspaceId: workspaces.id })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(eq(accounts.name, accountName));
  return { token, form, accountName, ...ids! };
}
