/** The driver on a real Kubernetes: the requirements for every driver, and what a cluster does to workspaces. */
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { AppsV1Api, NetworkingV1Api } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeVolumes, storageClass } from "#testing/cluster/local-volumes.ts";
import {
  clusterHookMs,
  nodeKubelet,
  otherWorkspaceImage,
  startCluster,
  workspaceImage,
  type TestCluster,
} from "#testing/cluster/start-cluster.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { describeDriver } from "#testing/drivers/driver-suite.ts";
import { ask, online, startTestGateway } from "#testing/network/start-test-gateway.ts";
import { rollBackFailedStart } from "#testing/drivers/failed-update-scene.ts";
import { makeKubernetesHarness, type KubernetesHarness } from "#testing/drivers/kubernetes-harness.ts";
import { nodeInImage } from "../container/image-places.ts";
import { containerPorts } from "../container/launch-order.ts";
import { DriverFailure, type Driver, type RunSpec } from "../driver.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { mergePatch, openCluster } from "./open-cluster.ts";
import { execInPod } from "./storage/exec-in-pod.ts";
import { buildHelper } from "./workspace-objects.ts";

const firstPort = containerPorts(["http"])["http"];
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster({ nodes: 2 });
  await makeVolumes(cluster, 60);
}, clusterHookMs);
afterAll(() => cluster?.[Symbol.asyncDispose]());

describeDriver("kubernetes", () => makeKubernetesHarness(cluster, "contract"), {
  hears: false,
  freezes: false,
  ends: false,
  waits: true,
});

describe("in a cluster", () => {
  let harness: KubernetesHarness;
  const launch = async (overrides: Partial<RunSpec> = {}): Promise<RunSpec> => {
    const spec = buildRunSpec(harness, overrides);
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    return spec;
  };
  const podOf = ({ workspaceId }: RunSpec) => cluster.core.readNamespacedPod({ namespace: harness.namespace, name: `w-${workspaceId}` });
  beforeAll(async () => void (harness = await makeKubernetesHarness(cluster, "troubles")));

  test("a pod has no rights in its cluster, none on its node, and bounded resources", async () => {
    const spec = await launch();
    const { spec: pod, metadata } = await podOf(spec);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: "Never",
      dnsPolicy: "None",
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 100_000 + spec.workspaceNumber,
        fsGroupChangePolicy: "OnRootMismatch",
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
          resources: { limits: { cpu: "1", memory: "256Mi", "ephemeral-storage": "512Mi" }, requests: { memory: "256Mi" } },
        },
      ],
    });
    for (const key of ["not-ready", "unreachable"])
      expect(pod?.tolerations).toContainEqual(expect.objectContaining({ key: `node.kubernetes.io/${key}`, tolerationSeconds: 60 }));
    expect(metadata?.ownerReferences).toEqual([expect.objectContaining({ kind: "Secret", controller: true })]);
    const script =
      "ls /var/run/secrets; (: > /usr/here); : > /tmp/here && echo tmp; env | grep -c KUBERNETES; grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status";
    const { output } = (await harness.act(spec.workspaceId, "run", { script })) as { output: string };
    expect(output).toMatch(/^tmp\n0\n[^]*secrets': No such file[^]*Read-only file system/);
    expect(output).toMatch(/CapEff:\t0+\n[^]*NoNewPrivs:\t1\n[^]*Seccomp:\t2/);
    await harness.driver.remove(spec.workspaceId);
  });

  test("what a hostile workspace tries in its pod fails, and its neighbour answers meanwhile", async () => {
    const [hostile, neighbour] = [await launch(), await launch()];
    const run = async (script: string) =>
      (await harness.act(hostile.workspaceId, "run", { script })) as { output: string; code: number | null };
    await harness.store(neighbour.workspaceId, "secret.txt", "the neighbour's secret");
    const node = (script: string) => `${nodeInImage} -e '${script}'`;
    const syscall = (number: number, args: string) => `perl -e 'exit(syscall(${number}, ${args}) >= 0 ? 0 : 1)'`;
    const greedy: Record<string, string> = {
      "mounts a file system": "mkdir -p m && mount -t tmpfs none m",
      "mounts a folder over another": "mkdir -p m && mount --bind /usr m",
      "changes its root": "chroot . /bin/true",
      "makes a device": "mknod /tmp/disk b 8 0 || mknod /tmp/mem c 1 1",
      "becomes root of a user namespace": "unshare --user --map-root-user true",
      "makes namespaces": "unshare --net true || unshare --mount true || unshare --pid --fork true",
      "enters those of its first process": "nsenter -t 1 -m true",
      "gains rights by a file of root's": "[ $(/usr/bin/suid-id -u) = 0 ]",
      "opens a raw socket": "perl -e 'exit(socket(S, 17, 3, 768) ? 0 : 1)'",
      "loads a BPF map": syscall(321, `0, pack("L5", 1, 4, 4, 1, 0) . "\\0" x 100, 72`),
      "reads keys of the kernel": syscall(250, "0, -3, 1"),
      "reads the kernel's log": syscall(103, `3, "\\0" x 1000, 1000`),
      "changes a setting of the kernel": "echo 1 > /proc/sys/kernel/randomize_va_space || echo h > /proc/sysrq-trigger",
      "spares itself from running out of memory": "echo -900 > /proc/self/oom_score_adj",
      "lifts its own limits": "echo max > /sys/fs/cgroup/pids/pids.max || echo -1 > /sys/fs/cgroup/memory/memory.limit_in_bytes",
      "writes where others read": "for f in /usr/bin /opt/slipway /etc /run/slipway /lib; do (: > $f/mark) && exit 0; done; exit 1",
      "overwrites what it was started from":
        "for f in /run/slipway/order.json /opt/slipway/drivers/container/launcher.ts; do (: > $f) && exit 0; done; exit 1",
      "sees a process that is not its own": "for p in /proc/[0-9]*; do [ -e $p ] && ! [ -O $p ] && exit 0; done; exit 1",
      "finds a disk of its node": "ls /dev | grep -E '^(sd|vd|nvme|dm-|loop|mem|kmsg)'",
      "finds files of its neighbour": `grep -rsF "neighbour's secret" / --exclude-dir=proc --exclude-dir=sys`,
      "asks the cluster's API": `KUBERNETES_SERVICE_HOST= ls /var/run/secrets/kubernetes.io/serviceaccount/token`,
      "ends what started it": "kill -9 1 && sleep 0.2 && ! [ -e /proc/1/comm ]",
      "asks its neighbour past the gateway": node(
        `require("node:http").request({ host: "${(await podOf(neighbour)).status!.podIP}", port: ${firstPort}, path: "/report", method: "POST" }, () => process.exit(0)).on("error", () => process.exit(1)).end("{}")`,
      ),
    };
    for (const [what, script] of Object.entries(greedy)) {
      const { code, output } = await run(script);
      expect(code, `it ${what}: ${output}`).not.toBe(0);
      // The failure of a program that is not in the image would prove nothing.
      expect(output).not.toMatch(/not found|loading shared libraries/);
    }

    const bomb = run(`for n in $(perl -e 'print join " ", 1..400'); do sleep 3 & done; wait`);
    const { instance } = await harness.report(neighbour.workspaceId);
    const { output } = await bomb;
    expect(output).toMatch(/fork|Resource temporarily unavailable/i);
    expect((await harness.report(neighbour.workspaceId)).instance).toBe(instance);

    // Links lead neither a backup nor a restore out of its files.
    await run("mkdir -p real things && : > real/own && ln -s /run/slipway things/order && ln -s real linked");
    const archive = (await buffer(await harness.driver.readStorage(hostile, ["things", "linked"]))).toString("latin1");
    expect(archive).not.toContain("GREETING");
    await harness.driver.ensure({ ...hostile, run: false });
    const tar = await buffer(await harness.driver.readStorage(neighbour, ["secret.txt"]));
    await harness.driver.replaceStorage(hostile, ["linked"], Readable.from(tar, { objectMode: false }));
    await harness.driver.ensure(hostile);
    expect((await run("ls real things; ls linked")).output).toMatch(/^real:\nown\n\nthings:\norder\n.*linked.*No such file/s);
    for (const { workspaceId } of [hostile, neighbour]) await harness.driver.remove(workspaceId);
  });

  test("a workspace that uses more memory than its plan allows is reported as out of memory", async () => {
    const spec = await launch({ memoryMb: 96 });
    await harness.act(spec.workspaceId, "eat");
    await vi.waitFor(
      async () =>
        expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({
          state: "stopped",
          exit: { signal: "SIGKILL", outOfMemory: true },
        }),
      { timeout: 60_000, interval: 250 },
    );
    await harness.driver.remove(spec.workspaceId);
  });

  test("a drain of its node ends a workspace, which is reported and starts again with its files on another node", async () => {
    const spec = await launch();
    await harness.store(spec.workspaceId, "kept.txt", "kept");
    const heard: string[] = [];
    const endWatch = harness.driver.watch((workspaceId) => heard.push(workspaceId));
    const name = `w-${spec.workspaceId}`;
    const { nodeName: node = "" } = (await podOf(spec)).spec!;
    const setUnschedulable = (unschedulable: boolean) =>
      cluster.core.patchNode({ name: node, body: { spec: { unschedulable } } }, mergePatch);
    onTestFinished(async () => void (await setUnschedulable(false)));
    await setUnschedulable(true);
    const eviction = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name, namespace: harness.namespace } };
    await cluster.core.createNamespacedPodEviction({ name, namespace: harness.namespace, body: eviction });
    await vi.waitFor(() => expect(heard).toEqual([spec.workspaceId]), { timeout: 30_000 });
    endWatch();
    // The kubelet may report how it ended a moment later.
    await vi.waitFor(
      async () => expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped", exit: { requested: true } }),
      { timeout: 30_000 },
    );
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    expect((await podOf(spec)).spec?.nodeName).not.toBe(node);
    expect(await harness.stored(spec.workspaceId, "kept.txt")).toBe("kept");
    await harness.driver.remove(spec.workspaceId);
  });

  test("requests for pods that swapped their addresses reach the right ones, and a hostile pod receives nothing of them", async () => {
    const [one, other] = [await launch(), await launch()];
    const { keys } = harness.proving;
    const addressOf = async ({ workspaceId }: RunSpec) => (await harness.driver.observe(workspaceId)).address!;
    const placeOf = async (spec: RunSpec) => (await addressOf(spec)).split("@")[1]!;
    const instanceOf = async ({ workspaceId }: RunSpec) => (await harness.report(workspaceId)).instance;
    /** What a visitor gets from a gateway that still knows the old address. */
    const visit = async (spec: RunSpec, stalePlace: string): Promise<string> => {
      const addresses = [`${keys.named(spec.workspaceId).mark}@${stalePlace}`];
      await using front = await startTestGateway({
        lineKeys: keys,
        lookUp: async () => online(addresses.shift() ?? (await addressOf(spec)), { workspaceId: spec.workspaceId }),
      });
      const { body } = await ask(front.port, { method: "POST", path: "/report", headers: { cookie: "secret" }, body: "{}" });
      return (JSON.parse(body) as { instance: string }).instance;
    };
    expect(await visit(one, await placeOf(other))).toBe(await instanceOf(one));
    expect(await visit(other, await placeOf(one))).toBe(await instanceOf(other));
    const hostile = `require("node:net").createServer((socket) => {
      socket.on("error", () => undefined).on("data", (heard) => require("node:fs").appendFileSync("/tmp/heard", heard));
      socket.write("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}");
    }).listen(6666, () => require("node:fs").writeFileSync("/tmp/heard", "listening"))`;
    await harness.act(other.workspaceId, "run", { script: `${nodeInImage} -e '${hostile}' > /tmp/said 2>&1 &` });
    await vi.waitFor(async () => expect(await harness.stored(other.workspaceId, "/tmp/heard")).toBe("listening"), 10_000);
    expect(await visit(one, (await placeOf(other)).replace(/\d+$/, "6666"))).toBe(await instanceOf(one));
    const heard = await harness.stored(other.workspaceId, "/tmp/heard");
    expect(heard!.length).toBeGreaterThan("listening".length);
    for (const part of ["secret", "report", one.workspaceId]) expect(heard).not.toContain(part);
    for (const { workspaceId } of [one, other]) await harness.driver.remove(workspaceId);
  });

  test.concurrent("of two workers that start it from different specs one wins, and there is one pod", async () => {
    const spec = buildRunSpec(harness);
    const other = { ...spec, generation: 2 };
    await Promise.allSettled([harness.driver.ensure(spec), harness.restarted().ensure(other)]);
    const { items } = await cluster.core.listNamespacedPod({
      namespace: harness.namespace,
      labelSelector: `slipway.dev/workspace=w-${spec.workspaceId}`,
    });
    expect(items).toHaveLength(1);
    expect(await harness.driver.ensure(other)).toMatchObject({ state: "running", generation: 2, specHash: hashRunSpec(other) });
    await harness.report(spec.workspaceId);
    await harness.driver.remove(spec.workspaceId);
  });

  test.concurrent("a workspace waits for a node with room and for its image, says so, and stops while it waits", async () => {
    const impatient = harness.with({ addressTimeoutMs: 4_000 });
    const large = buildRunSpec(harness, { memoryMb: 1_000_000 });
    const imageless = buildRunSpec(harness, { image: "absent:1" });
    for (const [spec, reason, missing] of [
      [large, /insufficient memory/i, "memory"],
      [imageless, /the image localhost\/absent:1 cannot be pulled/, "image"],
    ] as const) {
      expect(await impatient.ensure(spec)).not.toHaveProperty("address");
      const waiting = { state: "running", waitsFor: expect.stringMatching(reason), missing };
      await vi.waitFor(async () => expect(await impatient.observe(spec.workspaceId)).toMatchObject(waiting), {
        timeout: 40_000,
        interval: 500,
      });
    }
    for (const spec of [large, imageless]) {
      // A node that retries a start is slow to give it up.
      await vi.waitFor(async () => expect(await impatient.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped" }), {
        timeout: 100_000,
      });
      await impatient.remove(spec.workspaceId);
    }
  });

  test.concurrent("an image is proved present by pulling it, one that is missing is named, and no pod is left of either", async () => {
    const never = new AbortController().signal;
    await harness.driver.proveImage!(workspaceImage, never);
    await expect(harness.driver.proveImage!("absent:1", never)).rejects.toMatchObject({
      code: "no_image",
      message: expect.stringMatching(/^the image localhost\/absent:1 cannot be pulled: .*absent:1/s),
    });
    const labelSelector = "slipway.dev/role=canary";
    const left = async () => (await cluster.core.listNamespacedPod({ namespace: harness.namespace, labelSelector })).items;
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 60_000, interval: 500 });
  });

  test("an update whose image is missing is rolled back, with the files from before, and names the image", async () => {
    const { reason, lines } = await rollBackFailedStart({ ...harness, driver: harness.with({ addressTimeoutMs: 4_000 }) });
    expect(reason).toBe("The new version could not be loaded onto a server.");
    expect(lines.map(({ event }) => event)).toEqual(["no-image", "update-rolled-back"]);
    for (const { detail } of lines) expect(detail).toContain("localhost/absent:1");
  });

  test.concurrent("a pod that would wait forever is recreated: after its settings were corrected, or another worker overwrote its Secret", async () => {
    const { namespace } = harness;
    const pods = { images: "localhost", cpus: 1, diskMb: 256, storageClass, nameServers: ["192.0.2.53"] };
    const mistaken = harness.with({ pods: { ...pods, nodeSelector: { pool: "misspelled" } }, addressTimeoutMs: 500 });
    const spec = buildRunSpec(harness);
    const name = `w-${spec.workspaceId}`;
    const strandedBy = (driver: Driver) => driver.observe(spec.workspaceId).then(({ stranded }) => stranded);
    await mistaken.ensure(spec);
    const { uid } = (await podOf(spec)).metadata!;
    expect(await strandedBy(mistaken)).toBeUndefined();
    await cluster.core.patchNamespacedSecret({ namespace, name, body: { data: null } }, mergePatch);
    expect(await strandedBy(mistaken)).toMatch(/Secret/);
    await mistaken.ensure(spec);
    expect((await podOf(spec)).metadata!.uid).not.toBe(uid);
    expect(await strandedBy(mistaken)).toBeUndefined();
    expect(await strandedBy(harness.driver)).toMatch(/settings/);
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    expect(await strandedBy(mistaken)).toBeUndefined();
    await harness.driver.remove(spec.workspaceId);
    // Without its claim it is not recreated, because it may have had files.
    await mistaken.ensure(spec);
    await cluster.core.deleteNamespacedPersistentVolumeClaim({ namespace, name });
    await vi.waitFor(async () => expect(await strandedBy(mistaken)).toMatch(/claim/), 20_000);
    expect(await mistaken.ensure(spec)).toEqual({ state: "absent" });
    await harness.driver.remove(spec.workspaceId);
  });

  test.concurrent("a pod for files whose maker was killed ends soon, but not while its files are read", async () => {
    const spec = buildRunSpec(harness, { run: false });
    await harness.driver.ensure(spec);
    const opened = openCluster(harness.options);
    const { namespace } = harness;
    const { metadata } = await opened.core.createNamespacedPod({ namespace, body: buildHelper(opened, spec, workspaceImage, 3) });
    const name = metadata!.name!;
    const phase = async () => (await cluster.core.readNamespacedPod({ namespace, name })).status?.phase;
    await vi.waitFor(async () => expect(await phase()).toBe("Running"), { timeout: 30_000, interval: 100 });
    const reading = await execInPod(opened, name, ["/bin/sh", "-c", "sleep 8; echo read"]);
    expect(await text(reading.stdout)).toBe("read\n");
    expect(await reading.ended).toBe(0);
    await vi.waitFor(async () => expect(await phase()).toBe("Succeeded"), { timeout: 30_000, interval: 250 });
    await harness.driver.remove(spec.workspaceId);
  });

  test.concurrent("images are on every node before a workspace needs them, and one with a digest is started by it alone", async () => {
    const { namespace } = harness;
    await harness.driver.keepImages!([workspaceImage, otherWorkspaceImage]);
    const apps = cluster.config.makeApiClient(AppsV1Api);
    const isHeld = async () =>
      expect((await apps.readNamespacedDaemonSet({ namespace, name: "slipway-images" })).status?.numberReady).toBe(2);
    await vi.waitFor(isHeld, { timeout: 60_000, interval: 500 });
    await apps.deleteNamespacedDaemonSet({ namespace, name: "slipway-images" });
    const pods = { images: "localhost", cpus: 1, diskMb: 256, storageClass, nameServers: ["192.0.2.53"] };
    const by = (digest: string, addressTimeoutMs?: number) =>
      harness.with({ pods: { ...pods, digests: { [workspaceImage]: digest } }, ...(addressTimeoutMs && { addressTimeoutMs }) });
    const spec = buildRunSpec(harness);
    await by(cluster.imageDigest).ensure(spec);
    await harness.report(spec.workspaceId);
    expect((await podOf(spec)).spec?.containers[0]?.image).toBe(`localhost/workspace@${cluster.imageDigest}`);
    const moved = buildRunSpec(harness);
    const impatient = by(`sha256:${"0".repeat(64)}`, 3_000);
    await vi.waitFor(
      async () => expect(await impatient.ensure(moved)).toMatchObject({ waitsFor: expect.stringMatching(/image/i) }),
      60_000,
    );
    // A node that retries a start is slow to give it up.
    for (const each of [spec, moved]) await vi.waitFor(() => harness.driver.remove(each.workspaceId), { timeout: 100_000 });
  });

  test.concurrent("a claim grows with the setting, never shrinks, and outlives the workspace's Secret", async () => {
    const spec = buildRunSpec(harness, { run: false });
    const name = `w-${spec.workspaceId}`;
    const { namespace } = harness;
    const size = async () =>
      (await cluster.core.readNamespacedPersistentVolumeClaim({ namespace, name })).spec?.resources?.requests?.["storage"];
    const pods = { images: "localhost", cpus: 1, storageClass, nameServers: ["192.0.2.53"] };
    for (const [diskMb, expected] of [
      [256, "256Mi"],
      [512, "512Mi"],
      [256, "512Mi"],
    ] as const) {
      // A claim that no volume is bound to yet cannot grow.
      await vi.waitFor(
        async () => {
          await harness.with({ pods: { ...pods, diskMb } }).ensure(spec);
          expect(await size()).toBe(expected);
        },
        { timeout: 20_000, interval: 500 },
      );
    }
    await harness.driver.ensure({ ...spec, run: true });
    await cluster.core.deleteNamespacedSecret({ namespace, name });
    await vi.waitFor(async () => expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" }), {
      timeout: 60_000,
    });
    expect(await size()).toBe("512Mi");
    await harness.driver.remove(spec.workspaceId);
  });

  test("if required isolation is missing, nothing is started, and the operator is told what can be reached", async () => {
    const network = { controlNamespace: "slipway", closedRanges: ["203.0.113.0/24"], isDemanded: true };
    const strict = harness.with({ network: { ...network, canaryTargets: [nodeKubelet] } });
    const spec = buildRunSpec(harness);
    // A neighbour as well, if the scheduler puts it on the same node.
    await expect(strict.ensure(spec)).rejects.toThrow(new RegExp(`can reach (a neighbour, )?${nodeKubelet}`));
    expect(await strict.observe(spec.workspaceId)).toEqual({ state: "absent" });
    expect(await strict.holdHost!()).toEqual([{ kind: "network", detail: expect.stringContaining(nodeKubelet) }]);
    const policy = await cluster.config
      .makeApiClient(NetworkingV1Api)
      .readNamespacedNetworkPolicy({ namespace: harness.namespace, name: "slipway-workspaces" });
    expect(policy.spec?.egress?.[0]?.to?.[0]?.ipBlock?.except).toEqual(
      expect.arrayContaining(["10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "203.0.113.0/24"]),
    );
  });

  // The last one, because this node does not come back.
  test("while a node is silent its workspace is not started a second time, and keeps exclusive access to its files", async () => {
    const spec = await launch();
    const { instance } = await harness.report(spec.workspaceId);
    await cluster.killKubelet((await podOf(spec)).spec!.nodeName!);
    const hasty = harness.with({ lateMs: 2_000 });
    await expect(hasty.ensure({ ...spec, generation: 2 })).rejects.toThrow(/has not said that it ended/);
    await expect(hasty.ensure({ ...spec, run: false })).rejects.toThrow(DriverFailure);
    const { metadata } = await podOf(spec);
    expect(metadata).toMatchObject({ annotations: { "slipway.dev/generation": "1" }, deletionTimestamp: expect.any(Date) });
    expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
    expect((await hasty.listRunning()).has(spec.workspaceId)).toBe(true);
  });
});
