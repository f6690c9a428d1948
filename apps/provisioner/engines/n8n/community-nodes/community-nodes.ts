/**
 * Which community nodes a workspace may install. Their code runs in n8n's process, within the workspace's sandbox, like all of a tenant's
 * code: it reaches the internet as the workspace does, and nothing on this host. npm does not run their scripts.
 */

/** `verified`: those on n8n's own list, checked by checksum. */
export type CommunityNodes = "none" | "verified" | "all";

export function communityNodesEnvironment(allowed: CommunityNodes): Record<string, string> {
  if (allowed === "none") return { N8N_COMMUNITY_PACKAGES_ENABLED: "false", N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: "true" };
  return {
    N8N_COMMUNITY_PACKAGES_ENABLED: "true",
    N8N_VERIFIED_PACKAGES_ENABLED: "true",
    N8N_UNVERIFIED_PACKAGES_ENABLED: String(allowed === "all"),
    // They are in the workspace's folder and its backups, so a start never waits for the registry.
    N8N_REINSTALL_MISSING_PACKAGES: "false",
    npm_config_cache: "{{folder}}/tmp/npm",
    npm_config_ignore_scripts: "true",
    npm_config_update_notifier: "false",
  };
}

/**
 * The modules of n8n to turn off when no community nodes are allowed: the page, its calls, and the loading of nodes from the workspace's
 * folder.
 */
export const communityModulesWithout = (allowed: CommunityNodes): readonly string[] => (allowed === "none" ? ["community-packages"] : []);
