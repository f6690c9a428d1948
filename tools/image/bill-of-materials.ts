/** What an image consists of, as a file in it that scanners read: CycloneDX 1.6. */
import type { Lock } from "./needed-packages.ts";

interface Materials {
  /** Of the product. */
  version: string;
  lock: Lock;
  /** Paths in the lock. */
  packages: readonly string[];
  node: string;
  npm: string;
  /** In Debian's file name format: ca-certificates_20230311_all. */
  debian: readonly string[];
}

/** No time and no random serial number: the same materials give the same text. */
export function billOfMaterials({ version, lock, packages, node, npm, debian }: Materials): string {
  const product = { type: "application", name: "slipway", version, "bom-ref": "slipway" };
  const components = [
    ...packages.map((path) => npmComponent(path, lock[path]!)),
    component("application", "node", node, `pkg:generic/node@${node}`),
    component("application", "npm", npm, `pkg:npm/npm@${npm}`),
    ...debian.map(debianComponent),
  ];
  return `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component: product }, components }, null, 1)}\n`;
}

const component = (type: string, name: string, version: string, purl: string) => ({ type, name, version, purl, "bom-ref": purl });

function npmComponent(path: string, { version = "", integrity, license }: Lock[string]) {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const [, algorithm, digest] = /^(sha\d+)-(\S+)$/.exec(integrity ?? "") ?? [];
  return {
    ...component("library", name, version, `pkg:npm/${name.replace("@", "%40")}@${version}`),
    // The same version may be at two places.
    "bom-ref": path,
    ...(algorithm && { hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest!, "base64").toString("hex") }] }),
    ...(license && { licenses: [{ expression: license }] }),
  };
}

function debianComponent(file: string) {
  const [name = "", version = "", architecture = ""] = file.split("_");
  return component("library", name, version, `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`);
}
