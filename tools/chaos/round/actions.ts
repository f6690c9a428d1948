/** What a customer requests, and how the audit log shows that it was accepted. */
import type { Answer } from "#testing/ask.ts";
import type { Lane } from "../lane.ts";
import { letRest } from "./let-rest.ts";
import type { Action, RoundPlan } from "./plan-round.ts";
import type { Tenant } from "../tenant.ts";

export interface Wish {
  action: Action;
  tenant: Tenant;
  /** The audit action that an accepted call leaves; null if it leaves none. */
  audited: string | null;
  call(): Promise<Answer>;
  /** Updates what is expected of the tenant once the call is accepted. */
  accepted(): void;
  /** What the database must say once it is done; each returned row names a difference. */
  missing?: { question: string; values: unknown[] };
}

/** An account may request ten backups a day. */
const mostBackups = 9;
/** Above this, a launch replaces a workspace that was deleted. */
const mostTenants = 5;

const post = (lane: Lane, tenant: Tenant, path: string, body?: object) =>
  lane.slipway.call("POST", path, { token: tenant.customer.token, body });
/** Dangerous calls need a recently typed password. During a fault it may not be checked; then the call is refused, as any other. */
const postDangerous = async (lane: Lane, tenant: Tenant, path: string, body: object) => {
  await lane.slipway.typePassword(tenant.customer);
  return post(lane, tenant, path, body);
};
const nothing = (): void => undefined;

/** The round's action; if it is not possible, the nearest one that is. */
export async function chooseWish(lane: Lane, plan: RoundPlan): Promise<Wish> {
  const there = lane.tenants.filter(({ exists }) => exists);
  const of = (tenants: Tenant[]): Tenant => tenants[plan.choice % tenants.length]!;
  const look = async (action: Action, first?: () => Promise<void>): Promise<Wish> => ({
    action,
    tenant: of(there),
    audited: null,
    call: async () => {
      await first?.();
      return lane.slipway.call("GET", "/readyz");
    },
    accepted: nothing,
  });
  const wishes: Record<Action, () => Promise<Wish>> = {
    launch: async () => {
      const gone = lane.tenants.filter(({ exists }) => !exists);
      if (gone.length > 0) return launch(lane, of(gone));
      return lane.tenants.length < mostTenants ? launch(lane, await lane.join()) : remove(lane, of(there));
    },
    delete: async () => (there.length > 1 ? remove(lane, of(there)) : wishes.launch()),
    update: () => update(lane, of(there), plan.choice),
    settings: async () => changeSettings(lane, of(there)),
    webhooks: () => look("webhooks"),
    sleep: () => look("sleep", () => letRest(lane)),
    "wake storm": () => look("wake storm"),
    frozen: () => look("frozen"),
    backup: async () => {
      const allowed = there.filter(({ accepted }) => (accepted.get("backup.requested") ?? 0) < mostBackups);
      return allowed.length > 0 ? backUp(lane, of(allowed)) : wishes.restore();
    },
    restore: async () => {
      const able = there.filter(({ backups }) => backups.size > 0);
      return able.length > 0 ? restore(lane, of(able), plan.choice) : wishes.backup();
    },
  };
  return wishes[plan.action]();
}

/** An account's first workspace is requested on the setup page, which leaves no audit row; later ones by a separate call. */
async function launch(lane: Lane, tenant: Tenant): Promise<Wish> {
  const [known] = await lane.rows.ask<{ set_up: boolean }>("select set_up_at is not null as set_up from accounts where name = $1", [
    tenant.customer.accountName,
  ]);
  const accepted = (): void => void Object.assign(tenant, { exists: true, marker: null, letters: new Map() });
  if (!known?.set_up)
    return {
      action: "launch",
      tenant,
      audited: null,
      call: () => post(lane, tenant, "/api/account/setup", { timezone: "Europe/Berlin" }),
      accepted,
    };
  return {
    action: "launch",
    tenant,
    audited: "workspace.created",
    call: () => post(lane, tenant, "/api/instance", { timezone: "Asia/Tokyo" }),
    accepted,
  };
}

function remove(lane: Lane, tenant: Tenant): Wish {
  const { accountName } = tenant.customer;
  return {
    action: "delete",
    tenant,
    audited: "workspace.deleted",
    call: () => postDangerous(lane, tenant, "/api/instance/delete", { accountName }),
    accepted: () => void Object.assign(tenant, { exists: false, marker: null }),
  };
}

interface Versions {
  versions: { name: string; isPossible: boolean }[];
  current: string;
}

/** A version other than the running one or, if the last update allows it, every third time a rollback. */
async function update(lane: Lane, tenant: Tenant, choice: number): Promise<Wish> {
  const { token, accountName } = tenant.customer;
  const ask = async <Body>(path: string) => (await lane.slipway.call("GET", path, { token })).json<Body>();
  const { update: last } = await ask<{ update: { canRollBackUntil: string | null } | null }>("/api/instance/update");
  if (last?.canRollBackUntil && choice % 3 === 0) {
    const [before] = await lane.rows.ask<{ id: string }>(
      "select u.backup_id as id from workspace_updates u join workspaces w on w.id = u.workspace_id join accounts a on a.id = w.account_id where a.name = $1 order by u.started_at desc limit 1",
      [accountName],
    );
    return {
      action: "update",
      tenant,
      audited: "workspace.rolled_back",
      call: () => postDangerous(lane, tenant, "/api/instance/rollback", { accountName }),
      accepted: () => void (tenant.marker = tenant.backups.get(before!.id) ?? null),
    };
  }
  const { versions, current } = await ask<Versions>("/api/instance/versions");
  const versionName = versions.find(({ name, isPossible }) => isPossible && name !== current)?.name;
  if (!versionName) return changeSettings(lane, tenant);
  const call = () => lane.slipway.call("PUT", "/api/instance/configuration", { token, body: { versionName } });
  return { action: "update", tenant, audited: "workspace.configured", call, accepted: nothing };
}

function changeSettings(lane: Lane, tenant: Tenant): Wish {
  const count = tenant.accepted.get("workspace.configured") ?? 0;
  // Different from before, so that it is a change.
  const timezone = ["Europe/Paris", "America/New_York", "Australia/Sydney"][count % 3]!;
  const executionsToKeep = 100 + count;
  const body = { timezone, configuration: { executionsToKeep } };
  return {
    action: "settings",
    tenant,
    audited: "workspace.configured",
    accepted: nothing,
    call: async () => {
      // The first of these changes keeps fewer executions than before.
      await lane.slipway.typePassword(tenant.customer);
      return lane.slipway.call("PUT", "/api/instance/configuration", { token: tenant.customer.token, body });
    },
    missing: {
      question:
        "select 'the settings' as what from workspaces w join accounts a on a.id = w.account_id where a.name = $1 and (w.timezone <> $2 or w.executions_to_keep <> $3)",
      values: [tenant.customer.accountName, timezone, executionsToKeep],
    },
  };
}

function backUp(lane: Lane, tenant: Tenant): Wish {
  const { accountName } = tenant.customer;
  return {
    action: "backup",
    tenant,
    audited: "backup.requested",
    accepted: nothing,
    call: () => post(lane, tenant, "/api/export/backups"),
    missing: {
      question:
        "select 'the backup, which is ' || b.state || ': ' || coalesce(b.detail, '') as what from backups b join accounts a on a.id = b.account_id where a.name = $1 and b.kind = 'manual' and b.state <> 'successful'",
      values: [accountName],
    },
  };
}

async function restore(lane: Lane, tenant: Tenant, choice: number): Promise<Wish> {
  const { accountName } = tenant.customer;
  // A backup of a newer version is refused: its files are not for the running version.
  const notNewer = await lane.rows.ask<{ id: string }>(
    "select b.id from backups b join accounts a on a.id = b.account_id join workspaces w on w.account_id = a.id where a.name = $1 and string_to_array(b.engine_version, '.')::int[] <= string_to_array(w.desired_version, '.')::int[]",
    [accountName],
  );
  const able = [...tenant.backups].filter(([backupId]) => notNewer.some(({ id }) => id === backupId));
  if (able.length === 0) return changeSettings(lane, tenant);
  const [id, marker] = able[choice % able.length]!;
  return {
    action: "restore",
    tenant,
    audited: "backup.restored",
    call: () => postDangerous(lane, tenant, `/api/export/backups/${id}/restore`, { accountName }),
    accepted: () => void (tenant.marker = marker),
    missing: {
      question:
        "select 'the restore, which is ' || r.state || ': ' || coalesce(r.reason, '') as what from restores r join workspaces w on w.id = r.workspace_id join accounts a on a.id = w.account_id where a.name = $1 and r.state <> 'successful'",
      values: [accountName],
    },
  };
}
