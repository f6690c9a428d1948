/**
 * Runs a program of ours where workspaces in sandboxes will find the engines and Node: what Node compiles is kept by the path of its source.
 * Root gives it a view of its own, in which /opt is another folder; nothing changes for the rest of the host.
 */
import { existsSync } from "node:fs";
import type { HostPlaces } from "../../container/launch-order.ts";
import { findProgram } from "../host/host-tools.ts";
import { findSandboxTools } from "./sandbox-tools.ts";
import { placesInView } from "./view-places.ts";

/** Arguments: 1 mount, 2 the folder that becomes /opt, 3 where the program starts, then pairs of a path and its place, up to "--". */
const script = `
set -e
mount=$1 opt=$2 cwd=$3
shift 3
/bin/mkdir -p -- "$opt/slipway"
while [ "$1" != -- ]; do
  at="$opt\${2#/opt}"
  if [ -d "$1" ]; then /bin/mkdir -p -- "$at"; else /bin/mkdir -p -- "\${at%/*}"; : > "$at"; fi
  "$mount" --bind -- "$1" "$at"
  shift 2
done
shift
"$mount" --rbind -- "$opt" /opt
cd -- "$cwd"
exec "$@"
`;

/**
 * The start of a command that runs the rest of it there, as root until the rest changes the user; its process stays the same. Undefined if
 * this host has no sandboxes.
 *
 * @param opt a new folder for the places, which can be removed once the program has ended
 * @param cwd where the program starts, as seen from there
 */
export function atViewPlaces(host: HostPlaces, opt: string, cwd: string): string[] | undefined {
  const unshare = findProgram("unshare");
  const { tools } = findSandboxTools();
  if (tools === undefined || unshare === undefined || !existsSync("/opt")) return undefined;
  const view = placesInView(host);
  const pairs = [[host.enginesDir, view.enginesDir] as const, [host.nodeBinary, view.nodeBinary] as const];
  const moved = pairs.filter(([from, to]) => from !== to).flat();
  return [unshare, "--mount", "--", "/bin/sh", "-c", script, "sh", tools.mount, opt, cwd, ...moved, "--"];
}
