/** Where a template lives in the editor: since 1.24 behind its set-up page, before that in the workflow list (SPEC §2). */
export function templatePath(templateId: string | null, versionName: string | undefined): string | null {
  if (!templateId || !/^[\w-]{1,64}$/.test(templateId) || !versionName) return null;
  const [major = 0, minor = 0] = versionName.split(".").map(Number);
  const hasSetupPage = major > 1 || (major === 1 && minor >= 24);
  return hasSetupPage ? `/templates/${templateId}/setup` : `/workflows/templates/${templateId}`;
}
