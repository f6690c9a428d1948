import { engineTraits, type EngineName } from "#contract/workspaces/engine-names.ts";

/** The path of a template in n8n's editor: behind its setup page since 1.24, before that in the workflow list. Other engines have none. */
export function templatePath(
  templateId: string | null,
  instance: { engine: EngineName; versionName: string } | null | undefined,
): string | null {
  if (!templateId || !/^[\w-]{1,64}$/.test(templateId) || !instance?.versionName || !engineTraits[instance.engine].templates) return null;
  const [major = 0, minor = 0] = instance.versionName.split(".").map(Number);
  const hasSetupPage = major > 1 || (major === 1 && minor >= 24);
  return hasSetupPage ? `/templates/${templateId}/setup` : `/workflows/templates/${templateId}`;
}
