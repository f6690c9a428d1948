/**
 * Archives with images, for `docker load`, `podman load` or `ctr images import`:
 *   npm run image -- workspace n8n 2.40.7 [--to file.tar] [--engines folder] [--registry localhost/slipway]
 *     workspaces of a qualified release, which is installed if it is missing
 *   npm run image -- slipway [--to file.tar] [--registry localhost/slipway]
 *     Slipway itself
 *   npm run image -- files FOLDER [--packages file]
 *     only Slipway's files, as the Dockerfile takes them; the file lists the base's packages
 */
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { collectProgram } from "./collect-program.ts";
import { writeProgramImage } from "./program-image.ts";
import { imageFileName, writeReleaseImage } from "./release-image.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: "string" },
    engines: { type: "string" },
    packages: { type: "string" },
    registry: { type: "string", default: "localhost/slipway" },
  },
});
const [what, first, version] = positionals;
const cacheDir = join(dirname(enginesCacheDir), "containers");
const engine = engineNames.find((each) => each === first);

/** Where the archive goes; its folder is there. */
async function placeFor(image: string): Promise<string> {
  const file = resolve(values.to ?? join(".cache/images", imageFileName(image)));
  await mkdir(dirname(file), { recursive: true });
  return file;
}

if (what === "slipway" && positionals.length === 1) {
  const { version: own } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const image = `slipway:${own}`;
  const file = await placeFor(image);
  const { id, packages } = await writeProgramImage(file, { name: `${values.registry}/${image}`, cacheDir });
  process.stdout.write(`${file}\n${values.registry}/${image}\n${id}\n${packages.join(" ")}\n`);
} else if (what === "files" && first !== undefined && positionals.length === 2) {
  const listed = values.packages === undefined ? "" : readFileSync(values.packages, "utf8");
  await collectProgram(resolve(first), listed.split("\n").filter(Boolean));
} else if (what === "workspace" && engine !== undefined && version !== undefined) {
  const enginesDir = resolve(values.engines ?? enginesCacheDir);
  const made = await writeReleaseImage(placeFor, { engine, version, enginesDir, registry: values.registry, cacheDir });
  process.stdout.write(`${made.file}\n${made.name}\n${made.id}\n${made.packages.join(" ")}\n`);
} else {
  process.stderr.write(
    `Usage: npm run image -- slipway [--to file.tar]\n       npm run image -- workspace ${engineNames.join("|")} <version> [--to file.tar]\n`,
  );
  process.exit(1);
}
