/** Installed engines that tests share: gigabytes and minutes each, so they are kept outside the clone. */
import { homedir } from "node:os";
import { join } from "node:path";

/** SLIPWAY_ENGINES_CACHE, or a cache folder of the user. */
export const enginesCacheDir: string = process.env["SLIPWAY_ENGINES_CACHE"] ?? join(homedir(), ".cache", "slipway", "engines");
