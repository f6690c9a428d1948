/** What workspaces may reach: the internet, and nothing in the cluster. What may reach them: the control plane. */
import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { managedLabel } from "../workspace-objects.ts";
import { closedNetworks } from "../../closed-networks.ts";
import type { Cluster } from "../open-cluster.ts";

/** The ranges closed in a cluster, including their IPv6 counterparts. */
const closed = {
  v4: closedNetworks,
  v6: ["fc00::/7", "fe80::/10", "::1/128", "64:ff9b::/96", "64:ff9b:1::/48", "ff00::/8"],
} as const;

/** One policy for the namespace. It works only if the cluster's network enforces policies: `findWaysThrough` tries. */
export function buildNetworkPolicy({ namespace, network }: Cluster): V1NetworkPolicy {
  const [v4, v6] = [
    network.closedRanges.filter((range) => !range.includes(":")),
    network.closedRanges.filter((range) => range.includes(":")),
  ];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "slipway-workspaces", namespace, labels: { [managedLabel]: "slipway" } },
    spec: {
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ _from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": network.controlNamespace } } }] }],
      egress: [
        {
          to: [
            { ipBlock: { cidr: "0.0.0.0/0", except: [...closed.v4, ...v4] } },
            { ipBlock: { cidr: "::/0", except: [...closed.v6, ...v6] } },
          ],
        },
      ],
    },
  };
}
