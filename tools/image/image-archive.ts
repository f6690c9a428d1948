/**
 * An image as an archive for `docker load`, `podman load` and `ctr images import`, made from folders without a builder or a registry. The
 * same contents give the same bytes, and so the same id.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { stageBeside } from "#platform/host/stage-beside.ts";

/** A folder or file and its place in the image; everything in it belongs to `owner`, a user's number, by default root. */
export interface Layer {
  from: string;
  to: string;
  owner?: number;
  /** Only these names below `from`; all of it by default. */
  only?: readonly string[];
}

interface ImageContent {
  /** With tag, such as localhost/slipway/n8n:2.40.7. */
  name: string;
  layers: readonly Layer[];
  config: {
    Entrypoint: readonly string[];
    Cmd?: readonly string[];
    ExposedPorts?: Readonly<Record<string, object>>;
    User: string;
    WorkingDir: string;
    Env: readonly string[];
    Labels: Readonly<Record<string, string>>;
  };
}

const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" };
/** Nothing in an image may depend on when it was made. */
const madeAt = "1970-01-01T00:00:00Z";

/** Writes the archive to `file` and returns the image's id: the SHA-256 of its settings, which name each layer's. */
export async function writeImage(file: string, { name, layers, config }: ImageContent): Promise<string> {
  const staging = await stageBeside(file);
  try {
    const digests: string[] = [];
    for (const layer of layers) digests.push(await writeLayer(staging, layer));
    const settings = JSON.stringify({
      architecture: architectures[process.arch] ?? process.arch,
      os: "linux",
      created: madeAt,
      config,
      rootfs: { type: "layers", diff_ids: digests.map((digest) => `sha256:${digest}`) },
      history: layers.map(({ to }) => ({ created: madeAt, created_by: to })),
    });
    const id = createHash("sha256").update(settings).digest("hex");
    const Layers = digests.map((digest) => `${digest}.tar`);
    await writeFile(join(staging, `${id}.json`), settings);
    await writeFile(join(staging, "manifest.json"), JSON.stringify([{ Config: `${id}.json`, RepoTags: [name], Layers }]));
    const members = ["manifest.json", `${id}.json`, ...new Set(Layers)];
    await writeTar(join(staging, "archive"), ["-C", staging, "--owner=0", "--group=0", "--mode=u=rw,go=r", ...members]);
    await rename(join(staging, "archive"), file);
    return `sha256:${id}`;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function writeLayer(staging: string, { from, to, owner = 0, only }: Layer): Promise<string> {
  const place = to.replace(/^\/+|\/+$/g, "");
  const members = only ?? ["."];
  const transform = place === "" ? [] : [`--transform=flags=rSh;s,^\\(\\./\\)*,${place}/,`];
  const arriving = join(staging, "arriving.tar");
  const digest = await writeTar(arriving, [`--owner=${owner}`, `--group=${owner}`, ...transform, "-C", from, "--", ...members]);
  await rename(arriving, join(staging, `${digest}.tar`));
  return digest;
}

/** Returns the SHA-256 of what it wrote. */
async function writeTar(file: string, args: readonly string[]): Promise<string> {
  const fixed = ["--create", "--file=-", "--format=gnu", "--sort=name", "--mtime=@0", "--numeric-owner"];
  const tar = spawn("tar", [...fixed, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
  });
  const said = tar.stderr.setEncoding("utf8").toArray();
  const ended = new Promise<number | null>((resolve, reject) => tar.on("error", reject).on("close", resolve));
  const hash = createHash("sha256");
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(tar.stdout, counted, createWriteStream(file));
  if ((await ended) !== 0) throw new Error(`${basename(dirname(file))}: tar could not write a layer: ${(await said).join("")}`);
  return hash.digest("hex");
}
