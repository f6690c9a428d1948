/** A namespace of the test cluster with the driver under test, whose workspaces report what they see. */
import { systemClock } from "#platform/clock.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import { createLog } from "#platform/log.ts";
import { createKubernetesDriver } from "#apps/provisioner/drivers/kubernetes/create-kubernetes-driver.ts";
import type { KubernetesDriverOptions } from "#apps/provisioner/drivers/kubernetes/open-cluster.ts";
import type { Driver } from "#apps/provisioner/drivers/driver.ts";
import { storageClass } from "../cluster/local-volumes.ts";
import { nodeInImage } from "#apps/provisioner/drivers/container/image-places.ts";
import { otherWorkspaceImage, reportingWorkspace, workspaceImage, type TestCluster } from "../cluster/start-cluster.ts";
import { giveWorkerAccess } from "../cluster/worker-access.ts";
import type { DriverHarness, Post, WorkspaceReport } from "./driver-harness.ts";
import { lineKeys } from "../network/start-test-gateway.ts";
import { actThrough, postOver, reportingActs, type Act } from "./reporting-acts.ts";

export interface KubernetesHarness extends DriverHarness {
  namespace: string;
  /** Those of `driver`. */
  options: KubernetesDriverOptions;
  proving: { keys: LineKeys; post: Post };
  act: Act;
  /** A driver with other settings over the same namespace. */
  with(changed: Partial<KubernetesDriverOptions>): Driver;
}

const answerTimeoutMs = 60_000;

export async function makeKubernetesHarness(cluster: TestCluster, namespace: string): Promise<KubernetesHarness> {
  const config = await giveWorkerAccess(cluster, namespace);
  const post = postOver(lineKeys);
  const options: KubernetesDriverOptions = {
    config,
    namespace,
    pods: { images: "localhost", cpus: 1, diskMb: 256, storageClass, nameServers: ["192.0.2.53"] },
    // The test cluster has no network that enforces policies.
    network: { controlNamespace: "slipway", closedRanges: [], canaryTargets: [], isDemanded: false },
    places: { enginesDir: "/nowhere/engines", nodeBinary: "/nowhere/bin/node" },
    lineKeys,
    log: createLog("silent"),
    addressTimeoutMs: answerTimeoutMs,
    // A node on a busy machine took 40 s to unmount a pod's files.
    lateMs: 2 * answerTimeoutMs,
  };
  const create = (changed: Partial<KubernetesDriverOptions> = {}): Driver =>
    createKubernetesDriver({ ...options, clock: systemClock, ...changed });
  const driver = create();
  const act = actThrough(driver, { timeoutMs: answerTimeoutMs, everyMs: 50, post });
  return {
    driver,
    namespace,
    options,
    restarted: create,
    with: create,
    proving: { keys: lineKeys, post },
    act,
    image: workspaceImage,
    otherImage: otherWorkspaceImage,
    command: [nodeInImage, reportingWorkspace],
    report: async (workspaceId) => (await act(workspaceId, "report")) as WorkspaceReport,
    ...reportingActs(act),
    crash: async (workspaceId) => void (await act(workspaceId, "exit", { code: 3 })),
    sayReady: () => Promise.reject(new Error("this driver hears nothing")),
    // The kubelet waits whole seconds, and took 2.0 to 5.9 s more on a machine with nothing else to do, 12 s on a busy one; without a limit
    // it waits 30 s.
    endsWithinMs: 25_000,
    mayLoseSignal: true,
    close: async () => undefined,
  };
}
