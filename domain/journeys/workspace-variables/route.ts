/** The workspace's environment variables: names, and values that are not secret. */
import { routes } from "#contract/routes.ts";
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { readVariables, type StoredVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { AppError } from "#platform/app-error.ts";
import type { Mount, Services } from "../services.ts";
import { changeVariables } from "./change-variables.ts";

const view = ({ revision, variables }: StoredVariables): { revision: number; variables: WorkspaceVariable[] } => ({
  revision,
  variables: variables.map(({ name, value, isSecret }) => ({ name, isSecret, value: isSecret ? null : value })),
});

export function workspaceVariablesRoutes(mount: Mount, services: Services): void {
  mount(routes.listVariables, async ({ signedIn }) => {
    const workspace = await findWorkspace(services.db, signedIn.accountId);
    if (!workspace || workspace.desiredState === "deleted") throw new AppError("workspace_not_found");
    return view(readVariables(JSON.parse(services.secrets.decrypt(workspace.secrets, "workspace")) as Record<string, string>));
  });
  mount(routes.listVariableSettings, async () => ({
    settings: services.workspace.settings.map(({ name, values }) => ({ name, values })),
    onlySettingsRestart: services.workspace.takesVariablesRunning,
  }));
  mount(routes.changeVariables, async ({ signedIn, body, address }) => view(await changeVariables(services, signedIn, body, address)), {
    perMinute: 20,
  });
}
