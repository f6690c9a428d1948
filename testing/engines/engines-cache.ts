/** Installed engines that tests share: gigabytes and minutes each, so they are kept outside the clone. */
import { homedir } from "node:os";
import { join } from "node:path";

/** Root's home is closed to the users of workspaces, and a workspace that cannot read its engine cannot be isolated. */
const cacheDir = process.getuid?.() === 0 ? "/var/cache" : join(homedir(), ".cache");

/** SLIPWAY_ENGINES_CACHE, or a cache folder that workspaces can reach. */
export const enginesCacheDir: string = process.env["SLIPWAY_ENGINES_CACHE"] ?? join(cacheDir, "slipway", "engines");
