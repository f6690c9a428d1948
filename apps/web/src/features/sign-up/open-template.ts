/** How a template opens in a workspace. Few sign-up links have one: it is fetched when it is needed. */
import type { User } from "#contract/accounts/account.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { knownUser, updateUser } from "../../lib/session/session.ts";
import { templatePath } from "../../lib/session/template-path.ts";
import { forgetTemplateId, keptTemplateId } from "./template-redirect.ts";

/** The template that opens at the end of the sign-up: that of a later link takes precedence. */
export const wantedTemplateId = (user: User | null): string | null => keptTemplateId() ?? user?.account.templateId ?? null;

/** The template was opened: it is no longer offered, here or on another device. */
export async function templateOpened(templateId: string): Promise<void> {
  forgetTemplateId();
  if (knownUser()?.account.templateId !== templateId) return;
  // The template is open in any case; if it could not be forgotten, it is offered once more.
  const isForgotten = await callApi("forgetTemplate", { params: { id: templateId } }).then(
    () => true,
    () => false,
  );
  const user = knownUser();
  if (isForgotten && user?.account.templateId === templateId) updateUser({ ...user, account: { ...user.account, templateId: null } });
}

/** Where the owner of an online workspace finds the template, signed in; null if there is none. */
export async function openTemplate(templateId: string): Promise<string | null> {
  const path = templatePath(templateId, knownUser()?.account.instance);
  const url = path ? await workspaceUrl(path) : null;
  // Before the browser leaves: a running call would be aborted.
  if (url) await templateOpened(templateId);
  return url;
}

/** A workspace that is missing or offline is no reason to refuse the page. */
async function workspaceUrl(path: string): Promise<string | null> {
  try {
    return (await callApi("getInstanceUrl", { query: { path } })).url;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return null;
    throw error;
  }
}
