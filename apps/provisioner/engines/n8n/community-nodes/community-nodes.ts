/**
 * Which community nodes a workspace may install. Their code runs in n8n's own process, within the workspace's sandbox, as whatever a
 * tenant does there: it reaches the internet as the workspace does, and nothing of this host. npm runs none of their scripts.
 */

/** `verified`: those on n8n's own list, by their checksums. */
export type CommunityNodes = "none" | "verified" | "all";

export function communityNodesEnvironment(allowed: CommunityNodes): Record<string, string> {
  if (allowed === "none") return { N8N_COMMUNITY_PACKAGES_ENABLED: "false", N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: "true" };
  return {
    N8N_COMMUNITY_PACKAGES_ENABLED: "true",
    N8N_VERIFIED_PACKAGES_ENABLED: "true",
    N8N_UNVERIFIED_PACKAGES_ENABLED: String(allowed === "all"),
    // They are in the workspace's folder and its backups: a start never waits for the registry.
    N8N_REINSTALL_MISSING_PACKAGES: "false",
    npm_config_cache: "{{folder}}/tmp/npm",
    npm_config_ignore_scripts: "true",
    npm_config_update_notifier: "false",
  };
}

/** The part of n8n to leave out where there are none: its page, its calls, and its loading of what lies in the workspace's folder. */
export const communityModulesWithout = (allowed: CommunityNodes): readonly string[] => (allowed === "none" ? ["community-packages"] : []);
