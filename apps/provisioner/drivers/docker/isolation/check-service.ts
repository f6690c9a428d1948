/** The requirements that a container service must meet before customers' code runs in it. */
import { tryOwnHost } from "./canary.ts";
import type { DockerHost } from "../docker-host.ts";

/** Why the service must not run workspaces in production, as sentences for the operator; none if it may. Rejects if it does not answer. */
export async function findServiceTroubles(
  host: DockerHost,
  tryHost: (host: DockerHost) => Promise<string[]> = tryOwnHost,
): Promise<string[]> {
  const { SecurityOptions = [] } = await host.docker.call<{ SecurityOptions?: string[] }>({ path: "/info" });
  const has = (name: string) => SecurityOptions.some((option) => option.startsWith(`name=${name}`));
  const reached = await tryHost(host);
  return [
    // A rootless service already runs completely as a user.
    ...(has("userns") || has("rootless")
      ? []
      : ["containers' users are users of the host: set userns-remap in daemon.json, or run the service rootless"]),
    ...(has("seccomp") ? [] : ["system calls are not filtered: the service runs without its seccomp profile"]),
    ...(reached.length > 0
      ? [`containers reach ${reached.join(", ")}: load apps/provisioner/drivers/docker/firewall.nft with nft -f`]
      : []),
  ];
}
