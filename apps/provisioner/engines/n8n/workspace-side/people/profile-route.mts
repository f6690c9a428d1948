/** POST /_slipway/profile: the control plane sends what the owner said about themselves, for n8n's editor. */
import type { Handler, HookContext } from "../internals.mts";

/** In n8n's own settings, so that it outlives a restart of the workspace. */
const settingKey = "slipway.profile";

interface Profile {
  username: string;
  selectedApps: string[];
  /** What n8n's editor reads: texts, numbers and lists of texts. */
  information: Record<string, unknown>;
}

const nobody: Profile = { username: "", selectedApps: [], information: {} };

/** Replaces the profile: 200; an invalid one: 422. */
export function createProfileHandler(context: HookContext): Handler {
  return async (request, response) => {
    const profile = toProfile(request.body);
    if (profile === undefined) return response.status(422).json({ message: "username, selectedApps and information are needed" });
    await context.dbCollections.Settings.save({ key: settingKey, value: JSON.stringify(profile), loadOnStartup: false });
    return response.status(200).json({ message: "profile kept" });
  };
}

/** The stored profile; empty if there is none yet, or if the customer's own code has damaged it. */
export async function readProfile(context: HookContext): Promise<Profile> {
  const setting = await context.dbCollections.Settings.findOne({ where: { key: settingKey } });
  try {
    return toProfile(JSON.parse(setting?.value ?? "null")) ?? nobody;
  } catch {
    return nobody;
  }
}

function toProfile(body: unknown): Profile | undefined {
  const { username, selectedApps, information } = (body ?? {}) as Record<string, unknown>;
  if (typeof username !== "string" || typeof information !== "object" || information === null || Array.isArray(information))
    return undefined;
  if (!Array.isArray(selectedApps) || !selectedApps.every((app) => typeof app === "string")) return undefined;
  return { username, selectedApps: selectedApps as string[], information: information as Record<string, unknown> };
}
