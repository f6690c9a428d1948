/** A package registry on loopback for tests: real packages, real npm, and faults on demand. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface TinyPackage {
  name: string;
  version: string;
  /** Path and content of each file beside package.json. */
  files?: Record<string, string>;
  scripts?: Record<string, string>;
  /** The rest of its package.json. */
  manifest?: object;
}

export interface TinyRegistry {
  url: string;
  /** Paths of the tarballs requested so far. */
  readonly fetched: string[];
  integrityOf(name: string): string;
  /** Delays the tarball of this package until the returned function is called. `asked` and `left` report when a client came and went. */
  stall(name: string): { release: () => void; asked: Promise<void>; left: Promise<void> };
  /** Sends other bytes than those in the lock file. */
  tamper(name: string): void;
  /** Answers everything with this status. */
  failWith(status: number): void;
  /** The network is gone: what is being sent breaks off, and nothing new is accepted until `comeBack`, at the same address. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  asked: PromiseWithResolvers<void>;
  left: PromiseWithResolvers<void>;
  released: PromiseWithResolvers<void>;
}

/** Serves these packages until closed. */
export async function startTinyRegistry(packages: readonly TinyPackage[]): Promise<TinyRegistry> {
  const tarballs = new Map(await Promise.all(packages.map(async (entry) => [entry.name, await pack(entry)] as const)));
  const fetched: string[] = [];
  const held = new Map<string, Held>();
  const tampered = new Set<string>();
  let failure: number | undefined;

  const server = createServer((request, response) => {
    const [name = "", file] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    const entry = packages.find((candidate) => candidate.name === name);
    if (failure !== undefined || entry === undefined) return void response.writeHead(failure ?? 404).end("{}");
    if (file === undefined)
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(describe(entry)));
    fetched.push(name);
    void sendTarball(response, name);
  });

  async function sendTarball(response: ServerResponse, name: string): Promise<void> {
    const hold = held.get(name);
    if (hold !== undefined) {
      response.on("close", () => hold.left.resolve());
      hold.asked.resolve();
      await hold.released.promise;
    }
    response.end(
      tampered.has(name) ? await pack({ name, version: "1.0.0", files: { "index.js": "module.exports = 'other'" } }) : tarballs.get(name),
    );
  }

  const describe = (entry: TinyPackage) => ({
    name: entry.name,
    "dist-tags": { latest: entry.version },
    versions: {
      [entry.version]: {
        name: entry.name,
        version: entry.version,
        scripts: entry.scripts,
        hasInstallScript: entry.scripts?.["install"] !== undefined,
        dist: { tarball: `${url}/${entry.name}/-/${entry.name}-${entry.version}.tgz`, integrity: integrityOf(entry.name) },
      },
    },
  });
  const integrityOf = (name: string) => `sha512-${createHash("sha512").update(tarballs.get(name)!).digest("base64")}`;

  const listenAt = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listenAt(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    fetched,
    integrityOf,
    stall: (name) => {
      const hold = { asked: Promise.withResolvers<void>(), left: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
      held.set(name, hold);
      const release = () => {
        held.delete(name);
        hold.released.resolve();
      };
      return { release, asked: hold.asked.promise, left: hold.left.promise };
    },
    tamper: (name) => void tampered.add(name),
    failWith: (status) => void (failure = status),
    goAway: close,
    comeBack: () => listenAt(port),
    close,
  };
}

async function pack(entry: TinyPackage): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-pack-"));
  try {
    const { name, version, scripts, manifest } = entry;
    const files = {
      "index.js": "module.exports = 1",
      ...entry.files,
      "package.json": JSON.stringify({ name, version, scripts, ...manifest }),
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, "package", path)), { recursive: true });
      await writeFile(join(folder, "package", path), content);
    }
    await promisify(execFile)("tar", ["-czf", join(folder, "package.tgz"), "-C", folder, "package"]);
    return await readFile(join(folder, "package.tgz"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
