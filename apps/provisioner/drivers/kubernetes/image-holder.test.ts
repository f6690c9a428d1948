import { ApiException, type V1DaemonSet } from "@kubernetes/client-node";
import { expect, test, vi } from "vitest";
import { holdImages } from "./image-holder.ts";
import type { Cluster } from "./open-cluster.ts";

/** A namespace in which the holder is, or cannot be, created. */
function namespaceWithHolder() {
  const warn = vi.fn<(details: object, message: string) => void>();
  const api = { applied: [] as string[][], isThere: false, refuses: false };
  const objects = {
    patch: async ({ spec }: V1DaemonSet) => {
      if (api.refuses) throw new ApiException(403, "no right to daemonsets", undefined, {});
      api.applied.push(spec!.template.spec!.containers.map(({ image }) => image!));
      api.isThere = true;
    },
    read: async () => {
      if (!api.isThere) throw new ApiException(404, "not found", undefined, {});
      return {};
    },
  };
  const pods = { images: "registry.example", cpus: 1, diskMb: 1, nameServers: [] };
  return { api, warn, holder: holdImages({ namespace: "workspaces", pods, objects, log: { warn } } as unknown as Cluster) };
}

test("a deleted holder is restored, and images that a newer worker has brought stay", async () => {
  const { api, holder } = namespaceWithHolder();
  await holder.hold();
  expect(api.applied).toEqual([]);
  await holder.keep(["n8n:1", "n8n:2"]);
  await holder.hold();
  expect(api.applied).toEqual([["registry.example/n8n:1", "registry.example/n8n:2"]]);
  api.isThere = false;
  await holder.hold();
  expect(api.applied).toHaveLength(2);
});

test("a worker without the right to hold images says so once, fails nothing else, and holds them once it may", async () => {
  const { api, warn, holder } = namespaceWithHolder();
  api.refuses = true;
  await expect(holder.keep(["n8n:1"])).rejects.toThrow("daemonsets");
  await holder.hold();
  await holder.hold();
  expect(warn).toHaveBeenCalledOnce();
  api.refuses = false;
  await holder.hold();
  expect(api.applied).toEqual([["registry.example/n8n:1"]]);
});
