/** The path of a template in n8n's editor: behind its setup page since 1.24, before that in the workflow list. Other engines have none. */
export function templatePath(
  templateId: string | null,
  instance: { engine: string; versionName: string } | null | undefined,
): string | null {
  if (!templateId || !/^[\w-]{1,64}$/.test(templateId) || !instance?.versionName || instance.engine !== "n8n") return null;
  const { versionName } = instance;
  const [major = 0, minor = 0] = versionName.split(".").map(Number);
  const hasSetupPage = major > 1 || (major === 1 && minor >= 24);
  return hasSetupPage ? `/templates/${templateId}/setup` : `/workflows/templates/${templateId}`;
}
