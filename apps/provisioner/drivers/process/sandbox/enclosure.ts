/** What confines a workspace's process before its own user takes over: its control groups, with their limits, and its network. */
import os from "node:os";
import type { Owner } from "../host/run-program.ts";
import { mostTasks } from "../../workspace-bounds.ts";
import { allFolders } from "./control-groups/find-controllers.ts";
import { freezerWrites } from "./control-groups/freezer.ts";
import { groupWrites } from "./control-groups/limits.ts";
import { networkName, workspaceNetwork } from "./network/network.ts";
import type { SandboxTools } from "./sandbox-tools.ts";
import { writeBounds } from "./write-bounds.ts";

/**
 * Processors for a starting workspace, if its own limit is lower: with one instead of two, a start takes 1.4 times as long (measured with
 * n8n 2.40.7). The processor shares end it, and repeated restarts wait longer each time.
 */
const cpusAtStart = 2;

/*
 * Arguments: 1 ip, 2 nsenter, 3 the network's name, 4 its address, 5 the host's; then pairs of a file and what to write there, up to "--".
 * The previous network is removed first, so that after an interrupted start the next one begins with a clean state. "?" marks a file that
 * not every kernel has. The host's address is on its loopback, for all workspaces: adding or removing an address makes browsers on this
 * machine abort what they load. A group with the value "anew" is removed unless it still has processes, so that the counts of the last
 * start are not taken for this one's.
 */
const encloseScript = `
set -e
ip=$1 nsenter=$2 name=$3 address=$4 host=$5
shift 5
while [ "$2" = anew ]; do
  /bin/rmdir -- "$1" 2>/dev/null || :
  shift 2
done
${writeBounds}"$ip" link delete "$name" 2>/dev/null || :
"$ip" netns delete "$name" 2>/dev/null || :
"$ip" netns add "$name"
"$ip" address add "$host/32" dev lo scope host 2>/dev/null || :
"$ip" -batch - <<END
link add $name type veth peer name eth0 netns $name
link set dev $name addrgenmode none
link set dev $name up
route add $address/32 dev $name src $host
END
"$ip" -n "$name" -batch - <<END
link set dev lo up
link set dev eth0 addrgenmode none
address add $address/32 dev eth0
link set dev eth0 up
route add $host/32 dev eth0
route add default via $host
END
exec "$nsenter" --net="/run/netns/$name" -- "$@"
`;

/**
 * The command before the launcher, run as root under the workspace's lock. The start has more processor time.
 *
 * @param cpus processors that the workspace may use once it runs
 * @param address the IPv4 address of the workspace
 */
export function enclosure(tools: SandboxTools, cpus: number, owner: Owner, address: string, memoryMb: number): string[] {
  const { controllers } = tools;
  const group = networkName(owner.uid);
  const folders = allFolders(controllers, group).map((folder) => [folder, "anew"]);
  const writes = groupWrites(
    controllers,
    group,
    { memoryMb, cpus: Math.max(cpus, cpusAtStart), tasks: mostTasks },
    os.availableParallelism(),
  );
  return [
    "/bin/sh",
    "-c",
    encloseScript,
    "sh",
    tools.ip,
    tools.nsenter,
    group,
    address,
    workspaceNetwork.host,
    ...folders.flat(),
    ...freezerWrites(controllers, group).flat(),
    ...writes.flat(),
    "--",
  ];
}
