import { expect, test } from "vitest";
import { billOfMaterials } from "./bill-of-materials.ts";
import { findNeeded, namedIn, type Lock } from "./needed-packages.ts";

const lock: Lock = {
  "": {},
  "node_modules/server": {
    version: "1.0.0",
    integrity: "sha512-AAAA",
    license: "MIT",
    dependencies: { shared: "1", "@scope/native": "1" },
  },
  "node_modules/server/node_modules/shared": { version: "1.0.0", dependencies: { deep: "1" } },
  "node_modules/shared": { version: "2.0.0" },
  "node_modules/deep": {
    version: "1.0.0",
    peerDependencies: { peer: "1", panel: "1" },
    peerDependenciesMeta: { panel: { optional: true } },
  },
  "node_modules/peer": { version: "1.0.0" },
  "node_modules/@scope/native": { version: "1.0.0", optionalDependencies: { "@scope/native-linux": "1", "@scope/native-darwin": "1" } },
  "node_modules/@scope/native-linux": { version: "1.0.0" },
  "node_modules/@scope/native-darwin": { version: "1.0.0" },
  "node_modules/panel": { version: "1.0.0" },
};
const installed = (path: string): boolean => !path.includes("darwin");

test("a package is needed with its own dependencies, as Node resolves them; packages for the panel alone or for other systems are not", () => {
  expect(findNeeded(lock, ["server"], installed)).toEqual([
    "node_modules/@scope/native",
    "node_modules/@scope/native-linux",
    "node_modules/deep",
    "node_modules/peer",
    "node_modules/server",
    "node_modules/server/node_modules/shared",
  ]);
});

test("a package is named by its name in quotes or by one of its modules, not by a longer name", () => {
  const sources = [`import pg from "pg";`, `import { x } from "zod/v4";`, `await import("react-dom/server")`];
  expect(namedIn(sources, ["pg", "zod", "react", "react-dom", "p"])).toEqual(["pg", "zod", "react-dom"]);
});

test("the list of materials names each package with version, hash and license, and Debian's", () => {
  const bill = JSON.parse(
    billOfMaterials({
      version: "1.2.3",
      lock,
      packages: ["node_modules/server"],
      node: "24.0.0",
      npm: "11.0.0",
      debian: ["tini_0.19.0-1+b3_amd64"],
    }),
  ) as { components: object[] };
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "slipway", version: "1.2.3" } } });
  expect(bill.components).toMatchObject([
    { name: "server", purl: "pkg:npm/server@1.0.0", hashes: [{ alg: "SHA-512", content: "000000" }], licenses: [{ expression: "MIT" }] },
    { name: "node", version: "24.0.0" },
    { name: "npm", version: "11.0.0" },
    { name: "tini", version: "0.19.0-1+b3", purl: "pkg:deb/debian/tini@0.19.0-1%2Bb3?arch=amd64" },
  ]);
});
