/** Lets workspaces start only in a namespace whose network is known to isolate them. */
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import { DriverFailure, type HostTrouble } from "../../driver.ts";
import { apply, type Cluster } from "../open-cluster.ts";
import { findWaysThrough } from "./canary.ts";
import { buildNetworkPolicy } from "./network-policy.ts";

interface HeldNetwork {
  /**
   * Call it before a start: the first call applies the policy and, if isolation is required, sends the canary; the others wait for it.
   * Throws DriverFailure `start_failed` if the canary gets through. The next start tries again, because the cluster may have been fixed.
   */
  check(image: string): Promise<void>;
  /** Applies the policy again, in case it was changed or deleted, and returns what a canary could reach. Rejects if that fails. */
  hold(): Promise<HostTrouble[]>;
}

const applyLimitMs = 10 * secondMs;

export function holdNetwork(cluster: Cluster): HeldNetwork {
  let checking: Promise<void> | undefined;
  let detail: string | undefined;
  const look = async (image: string): Promise<void> => {
    await apply(cluster, buildNetworkPolicy(cluster));
    if (!cluster.network.isDemanded) return;
    const found = await findWaysThrough(cluster, image);
    detail = found.length > 0 ? `a workspace of this cluster can reach ${found.join(", ")}` : undefined;
    if (detail) throw new DriverFailure("start_failed", `${detail}, so it is not started: the cluster's network must enforce policies`);
  };
  return {
    check: (image) =>
      (checking ??= look(image)).catch((error: unknown) => {
        checking = undefined;
        throw error;
      }),
    async hold() {
      await within(applyLimitMs, "the network policy", apply(cluster, buildNetworkPolicy(cluster)));
      return detail ? [{ kind: "network", detail }] : [];
    },
  };
}
