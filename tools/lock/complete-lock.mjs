/**
 * `node tools/lock/complete-lock.mjs` after `npm install`: adds the optional packages for other systems to package-lock.json
 * that npm left out because its registry did not have them. `npm ci` refuses a lock without them, on every
 * machine. They are never fetched on other systems; on their own system npm installs them without a checksum from us.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";

const systems = new Set(["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"]);
const processors = new Set(["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"]);
const libraries = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" };

/** The entries missing in a lock's `packages`, by path. */
export function findMissingEntries(packages) {
  const missing = {};
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      if (places.some((place) => packages[place])) continue;
      missing[`node_modules/${name}`] = { version, ...(entry.dev ? { dev: true } : {}), optional: true, ...platformOf(name) };
    }
  }
  return missing;
}

/** Packages for one system say so in their names, as in binding-linux-arm64-musl. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.has(word));
  const cpu = words.find((word) => processors.has(word));
  const libc = words.map((word) => libraries[word]).find(Boolean);
  return { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}), ...(os === "linux" && libc ? { libc: [libc] } : {}) };
}

if (process.argv[1] === import.meta.filename) {
  const file = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = findMissingEntries(lock.packages);
  const packages = Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`${Object.keys(missing).length} packages for other systems were added to package-lock.json.`);
}
