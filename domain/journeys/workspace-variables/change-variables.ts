/**
 * The owner replaces the environment variables of their workspace. A worker passes them to it while it runs
 * (apps/provisioner/reconcile/steps/tool/pass-variables.ts); what the tool reads only at its start restarts it, as other settings do.
 */
import { eq, sql } from "drizzle-orm";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import type { FieldProblem } from "#contract/api/problem.ts";
import { mostVariableText, type VariablesChange } from "#contract/workspaces/variable.ts";
import { say } from "#contract/sentences/say.ts";
import { workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import { lockLivingWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import {
  readVariables,
  refusalOf,
  withVariables,
  type OwnerSetting,
  type StoredVariable,
  type StoredVariables,
} from "#domain/workspaces/settings/workspace-variables.ts";
import { announceWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * Saves all of them or none; unchanged variables change nothing. Refuses changes based on outdated variables, duplicate names, a new one
 * without a value, names and values that the engine does not leave to owners, and more text than a workspace may get. Values go into
 * neither the journal nor the audit log.
 */
export async function changeVariables(
  services: Services,
  current: CurrentUser,
  change: VariablesChange,
  address: string,
): Promise<StoredVariables> {
  if (!services.instanceOperations) throw new AppError("instance_operations_off");
  const { accountId, accountName, userId, fullName } = current;
  return services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const row = await lockLivingWorkspace(tx, accountId);
    const secrets = JSON.parse(services.secrets.decrypt(row.secrets, "workspace")) as Record<string, string>;
    const before = readVariables(secrets);
    if (change.revision !== before.revision) throw new AppError("settings_changed");
    const wanted = fillVariables(change.variables, before.variables, services.workspace.settings);
    if (JSON.stringify(wanted) === JSON.stringify(before.variables)) return before;

    const after: StoredVariables = { revision: before.revision + 1, variables: wanted };
    const sealed = services.secrets.encrypt(JSON.stringify(withVariables(secrets, after)), "workspace");
    await tx
      .update(workspaces)
      .set({
        secrets: sealed,
        variablesRevision: after.revision,
        ...(needsRestart(before.variables, wanted, services.workspace) && { generation: sql`${workspaces.generation} + 1` }),
        ...dueNow(now),
      })
      .where(eq(workspaces.id, row.id));
    const names = (list: readonly StoredVariable[]) => list.map(({ name }) => name);
    await writeJournal(tx, row.id, { event: "variables-changed", message: say("variablesChanged"), actor: fullName }, now);
    await writeAudit(
      tx,
      {
        accountId,
        userId,
        action: "workspace.variables_changed",
        before: { names: names(before.variables) },
        after: { names: names(wanted) },
        address,
      },
      now,
    );
    await announceWorkspace(tx, row.id, accountName);
    return after;
  });
}

/** Whether the tool reads what differs only at its start. */
export function needsRestart(
  before: readonly StoredVariable[],
  wanted: readonly StoredVariable[],
  { settings, takesVariablesRunning }: Pick<Services["workspace"], "settings" | "takesVariablesRunning">,
): boolean {
  if (!takesVariablesRunning) return true;
  const readAtStart = (all: readonly StoredVariable[]) => all.filter(({ name }) => settings.some((setting) => setting.name === name));
  return JSON.stringify(readAtStart(before)) !== JSON.stringify(readAtStart(wanted));
}

/** Adds the values that were left out, and sorts by name. Refuses what cannot be saved, at its field. */
export function fillVariables(
  given: VariablesChange["variables"],
  before: readonly StoredVariable[],
  settings: readonly OwnerSetting[],
): StoredVariable[] {
  const errors: FieldProblem[] = [];
  const refuse = (path: string, code: FieldCode) => errors.push({ path, code, message: fieldMessage(code) });
  const wanted = given.map(({ name, isSecret, value }, index): StoredVariable => {
    const kept = before.find((each) => each.name === name);
    if (given.findIndex((each) => each.name === name) < index) refuse(`variables.${index}.name`, "variable.twice");
    // Renaming must not reveal a secret: its value has to be typed again.
    const isKept = kept !== undefined && !(kept.isSecret && !isSecret);
    if (value === undefined && !isKept) refuse(`variables.${index}.value`, "variable.value_required");
    const filled = { name, isSecret, value: value ?? kept?.value ?? "" };
    const refusal = refusalOf(filled, settings);
    if (refusal) refuse(`variables.${index}.${refusal === "variable.reserved" ? "name" : "value"}`, refusal);
    return filled;
  });
  if (wanted.reduce((sum, { name, value }) => sum + name.length + value.length, 0) > mostVariableText)
    refuse("variables", "variables.too_long");
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
  return wanted.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
