/** What a launcher is told: a spec for the inside of a container. Its templates are filled in there, where the address is known. */
import type { RunSpec } from "../driver.ts";
import { type FilledSpec, fillTemplates } from "../fill-templates.ts";
import { dataFolder, enginesInImage, nodeInImage } from "./image-places.ts";

export interface LaunchOrder extends Pick<RunSpec, "workspaceId" | "command" | "env" | "files" | "ports"> {
  absent: readonly string[];
  /** The key with which the workspace proves its id to its callers: 32 bytes, base64. */
  lineKey: string;
}

/** What a spec's paths refer to on the host of the control plane. */
export interface HostPlaces {
  enginesDir: string;
  nodeBinary: string;
}

/** The number of a spec's first port in its container; the others follow. Every container has its own address. */
const firstPort = 5678;

/** A spec's ports by name. */
export const containerPorts = (ports: RunSpec["ports"]): Record<string, number> =>
  Object.fromEntries(ports.map((name, index) => [name, firstPort + index]));

/**
 * The order for this spec and this workspace's key: wherever the spec names the folders of engines and of Node, they are replaced with
 * those in the image. Throws DriverFailure for a template that cannot be filled in, before anything is started.
 */
export function launchOrder(spec: RunSpec, host: HostPlaces, key: Buffer): LaunchOrder {
  fillTemplates(spec, { folder: dataFolder, address: "", ports: containerPorts(spec.ports) });
  const { workspaceId, ports, absent = [] } = spec;
  const moved = movePlaces(spec, host, { enginesDir: enginesInImage, nodeBinary: nodeInImage });
  return { workspaceId, ...moved, ports, absent, lineKey: key.toString("base64") };
}

/** The spec with both places replaced wherever it names them, also in a PATH and as part of a file: URL. */
export function movePlaces({ command, env, files }: FilledSpec, from: HostPlaces, to: HostPlaces): FilledSpec {
  const pairs = [
    [from.enginesDir, to.enginesDir],
    [from.nodeBinary, to.nodeBinary],
    [folderOf(from.nodeBinary), folderOf(to.nodeBinary)],
  ].filter(([one, other]) => one !== other);
  const moved = (text: string): string =>
    pairs.reduce((all, [one, other]) => replacePath(replacePath(all, one!, other!), encodeURI(one!), other!), text);
  return {
    command: command.map(moved),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moved(value)])),
    files: files.map((file) => ({ ...file, content: moved(file.content) })),
  };
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"));

/** Replaces a path if it ends there or continues with a subfolder: not a path that only has the same beginning. */
function replacePath(text: string, from: string, to: string): string {
  let moved = "";
  let rest = text;
  for (let at = rest.indexOf(from); at !== -1; at = rest.indexOf(from)) {
    const next = rest[at + from.length];
    const isWhole = next === undefined || "/:\"',; \n".includes(next);
    moved += rest.slice(0, at) + (isWhole ? to : from);
    rest = rest.slice(at + from.length);
  }
  return moved + rest;
}
