/** What the chart installs, by facts about its objects; that it works is proved on a cluster (chart.cluster.test.ts). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  loadAllYaml,
  loadYaml,
  type KubernetesObject,
  type V1Deployment,
  type V1Ingress,
  type V1Job,
  type V1NetworkPolicy,
  type V1PodDisruptionBudget,
  type V1PodSpec,
  type V1Role,
  type V1RoleBinding,
} from "@kubernetes/client-node";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "#apps/program/settings/config.ts";
import { secretSettings } from "#apps/program/settings/secret-files.ts";
import { poolSizes } from "#platform/database.ts";
import { programUser } from "../../tools/image/program-places.ts";
import { chart, hasHelm } from "./helm.ts";
import { fewestValues, renderChart, runHelm, type Values } from "./render-chart.ts";

const root = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")) as {
  properties: {
    secrets: { properties: Record<string, unknown> };
    settings: { propertyNames: { not: { enum: string[] } } };
  };
};
const changed = (changes: Values): Values => ({ ...fewestValues, ...changes });
const named = <T extends KubernetesObject>(objects: KubernetesObject[], kind: string, name: string): T =>
  objects.find((object) => object.kind === kind && object.metadata?.name === name) as T;
const all = <T extends KubernetesObject>(objects: KubernetesObject[], kind: string): T[] =>
  objects.filter((object) => object.kind === kind) as T[];
/** Every pod that the release starts, by the name of what starts it. */
const podsOf = (objects: KubernetesObject[]): Map<string, V1PodSpec> =>
  new Map(
    [...all<V1Deployment>(objects, "Deployment"), ...all<V1Job>(objects, "Job")].map((each) => [
      each.metadata!.name!,
      each.spec!.template.spec!,
    ]),
  );
const environmentOf = (pod: V1PodSpec): Record<string, string | undefined> =>
  Object.fromEntries(pod.containers[0]!.env!.map(({ name, value, valueFrom }) => [name, valueFrom ? "10.0.0.1" : value]));

test("the chart has the program's version, which the image's tag follows", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(loadYaml(readFileSync(join(chart, "Chart.yaml"), "utf8"))).toMatchObject({ version, appVersion: version });
});

test.each([
  ["alerts.yaml", "monitoring/alerts.yaml"],
  ["rights.yaml", "apps/provisioner/drivers/kubernetes/rights.yaml"],
])("the chart's %s is a copy of %s, whose change is copied too", (copy, original) => {
  expect(readFileSync(join(chart, "files", copy), "utf8")).toBe(readFileSync(join(root, original), "utf8"));
});

test("secrets have separate places for exactly the settings that may be files, and no place among the other settings", () => {
  expect(Object.keys(schema.properties.secrets.properties).toSorted()).toEqual(secretSettings.toSorted());
  expect(schema.properties.settings.propertyNames.not.enum).toEqual(
    expect.arrayContaining(secretSettings.flatMap((name) => [name, `${name}_FILE`])),
  );
});

test("Helm waits for longer than the job that migrates may take, by the guide's commands", () => {
  const { migration } = loadYaml<{ migration: { deadlineSeconds: number } }>(readFileSync(join(chart, "values.yaml"), "utf8"));
  const guide = readFileSync(join(root, "docs/cluster.md"), "utf8");
  const minutes = [...guide.matchAll(/helm (?:install|upgrade) slipway [^\n`]*/g)].map(
    ([command]) => / --timeout (\d+)m/.exec(command)?.[1],
  );
  expect(minutes).toHaveLength(2);
  for (const each of minutes) expect(Number(each) * 60).toBeGreaterThan(migration.deadlineSeconds);
});

describe.runIf(hasHelm)("rendered by Helm", () => {
  let objects: KubernetesObject[];
  beforeAll(async () => void (objects = await renderChart()), 120_000);

  test("Helm finds nothing to complain about", async () => {
    await expect(runHelm(["lint", "--strict"], fewestValues)).resolves.toContain("0 chart(s) failed");
  });

  const { SECRET_KEY: _none, ...withoutKey } = fewestValues["secrets"] as Values;
  const { BACKUPS_URL: _bucket, SMTP_URL: _mail, ...forTrial } = fewestValues["secrets"] as Values;
  test.each<[string, Values, string]>([
    ["nothing at all", {}, "publicUrl"],
    ["no image", changed({ image: {} }), "repository"],
    ["no registry of workspaces' images", changed({ workspaces: {} }), "images"],
    ["no secret key", changed({ secrets: withoutKey }), "SECRET_KEY"],
    ["no bucket for backups", changed({ secrets: forTrial }), "BACKUPS_URL"],
    [
      "a password as a value",
      changed({ secrets: { ...(fewestValues["secrets"] as Values), DATABASE_URL: "postgres://a:b@c/d" } }),
      "DATABASE_URL",
    ],
    ["a password among the settings", changed({ settings: { SMTP_URL: "smtps://a:b@mail.example" } }), "SMTP_URL"],
    ["a setting that the chart decides", changed({ settings: { DRIVER: "process" } }), "DRIVER"],
    ["a number as a setting, which Helm may write as 1e+06", changed({ settings: { CALLS_PER_MINUTE: 1_000_000 } }), "CALLS_PER_MINUTE"],
    ["http in production", changed({ publicUrl: "http://app.example.com" }), "publicUrl"],
    ["a path in the address", changed({ publicUrl: "https://example.com/app" }), "publicUrl"],
    ["a misspelled value", changed({ replicas: 3 }), "replicas"],
  ])("%s is refused, and the value named", async (_what, values, name) => {
    await expect(renderChart(values)).rejects.toThrow(new RegExp(`values don't meet the specifications[^]*${name}`));
  });

  test("a trial without mail server and bucket says that it is not for production", async () => {
    const pods = podsOf(
      await renderChart(changed({ publicUrl: "http://slipway.test", secrets: forTrial, settings: { NODE_ENV: "development" } })),
    );
    expect(environmentOf(pods.get("shop-api")!)).toMatchObject({ NODE_ENV: "development", PUBLIC_URL: "http://slipway.test", HOST: "::" });
  });

  test("every pod meets the restricted standard, runs as the image's user, and has no two secrets in its environment", () => {
    const pods = podsOf(objects);
    expect([...pods.keys()].toSorted()).toEqual(["shop-api", "shop-gateway", "shop-migrate", "shop-worker"]);
    for (const pod of pods.values()) {
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: programUser, fsGroup: programUser, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          { securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } } },
        ],
      });
      expect(pod.containers).toHaveLength(1);
      expect(JSON.stringify(pod)).not.toContain("secretKeyRef");
      expect(pod.volumes!.every(({ emptyDir, projected }) => emptyDir?.sizeLimit ?? projected)).toBeTruthy();
    }
  });

  test("only the worker has a token, with exactly the rights of the driver, in the namespace of the workspaces", () => {
    const withToken = [...podsOf(objects)].filter(([, pod]) => pod.automountServiceAccountToken !== false);
    expect(withToken.map(([name, pod]) => [name, pod.serviceAccountName])).toEqual([["shop-worker", "shop-worker"]]);
    const rights = loadAllYaml(readFileSync(join(root, "apps/provisioner/drivers/kubernetes/rights.yaml"), "utf8")) as KubernetesObject[];
    const role = named<V1Role>(objects, "Role", "shop-worker");
    expect(role.rules).toEqual((rights.find(({ kind }) => kind === "Role") as V1Role).rules);
    expect(role.metadata!.namespace).toBe("slipway-workspaces");
    expect(named<V1RoleBinding>(objects, "RoleBinding", "shop-worker").subjects).toEqual([
      { kind: "ServiceAccount", name: "shop-worker", namespace: "selling" },
    ]);
    expect(objects.filter(({ kind }) => kind!.startsWith("Cluster"))).toEqual([]);
  });

  test("production accepts the settings of each role, and the secrets' files are those that the program reads", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-chart-secrets-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const secrets: Record<string, string> = {
      SECRET_KEY: "a key that is long enough for a service",
      DATABASE_URL: "postgres://slipway:pw@db.example/slipway?sslmode=verify-full",
      SMTP_URL: "smtps://mail.example",
      BACKUPS_URL: "s3://key:secret@s3.example/backups",
      STRIPE_SECRET_KEY: "sk_live_long_enough_for_a_key",
      STRIPE_WEBHOOK_SECRET: "whsec_long_enough_for_a_key",
    };
    for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
    const values = changed({
      secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, { name: "slipway", key: name.toLowerCase() }])),
      settings: { PAYMENTS: "stripe", SELLER_NAME: "Shop", SELLER_ADDRESS: "1 Street|10115 Berlin", SELLER_COUNTRY: "DE" },
      ingress: { enabled: true },
    });
    for (const [name, pod] of podsOf(await renderChart(values))) {
      const { sources } = pod.volumes!.find(({ name }) => name === "secrets")!.projected!;
      const places = new Set(sources!.map(({ secret }) => `/run/slipway/secrets/${secret!.items![0]!.path}`));
      const env = environmentOf(pod);
      for (const [variable, path] of Object.entries(env)) {
        if (!variable.endsWith("_FILE")) continue;
        expect(places).toContain(path);
        env[variable] = join(folder, path!.split("/").at(-1)!);
      }
      const config = readConfig({ NODE_ENV: "production", DATA_DIR: folder, ...env });
      expect(config).toMatchObject({ production: true, driver: "kubernetes", migratesAtStart: false, trustedProxyHops: 1 });
      if (name === "shop-migrate") continue;
      expect([...config.roles]).toEqual([name.replace("shop-", "")]);
      expect(config.metrics).toEqual({ host: "10.0.0.1", port: 9464 });
      expect(config.cluster).toMatchObject({ namespace: "slipway-workspaces", controlNamespace: "selling" });
      expect(config.gatewayUrl).toBe(name === "shop-worker" ? "http://shop-gateway.selling.svc:3000" : undefined);
      // Requests in progress at the end of the drain have 15 s.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(config.drainSeconds + 30);
    }
  });

  test("each role's processes have the pool that is set for them, and no other pool can be rendered than the program accepts", async () => {
    const poolsOf = async (values: Values) =>
      [...podsOf(await renderChart(values))].map(([name, pod]) => [name, environmentOf(pod)["DATABASE_POOL_MAX"]]).toSorted();
    expect(await poolsOf(changed({ api: { databasePoolMax: 20 }, gateway: { databasePoolMax: 5 } }))).toEqual([
      ["shop-api", "20"],
      ["shop-gateway", "5"],
      ["shop-migrate", undefined],
      ["shop-worker", `${poolSizes.usual}`],
    ]);
    for (const databasePoolMax of [poolSizes.smallest, poolSizes.largest])
      await expect(renderChart(changed({ worker: { databasePoolMax } }))).resolves.toBeDefined();
    for (const databasePoolMax of [poolSizes.smallest - 1, poolSizes.largest + 1, "10"])
      await expect(renderChart(changed({ worker: { databasePoolMax } }))).rejects.toThrow(/databasePoolMax/);
    await expect(renderChart(changed({ settings: { DATABASE_POOL_MAX: "20" } }))).rejects.toThrow(/DATABASE_POOL_MAX/);
  });

  test("the schema is migrated by a job before each installation and upgrade, which needs nothing that the release creates", () => {
    const job = named<V1Job>(objects, "Job", "shop-migrate");
    expect(job.metadata!.annotations).toMatchObject({ "helm.sh/hook": "pre-install,pre-upgrade" });
    const { containers, serviceAccountName, volumes } = job.spec!.template.spec!;
    expect(containers[0]).toMatchObject({ args: ["apps/ops/main.ts", "migrate"] });
    expect(serviceAccountName).toBeUndefined();
    expect(volumes!.filter(({ configMap }) => configMap)).toEqual([]);
  });

  test("panel and gateway are spread over nodes and zones and lose one process at a time; one process alone may be drained", async () => {
    const budgets = all<V1PodDisruptionBudget>(objects, "PodDisruptionBudget");
    expect(budgets.map(({ metadata, spec }) => [metadata!.name, spec!.maxUnavailable])).toEqual([
      ["shop-api", 1],
      ["shop-gateway", 1],
    ]);
    for (const { metadata, spec } of all<V1Deployment>(objects, "Deployment")) {
      const keys = spec!.template.spec!.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
      expect(keys).toEqual(metadata!.name === "shop-worker" ? undefined : ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]);
      expect(spec!.strategy!.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    }
    const alone = await renderChart(changed({ api: { replicas: 1 }, gateway: { replicas: 1 } }));
    expect(all(alone, "PodDisruptionBudget")).toEqual([]);
  });

  test("gateways reach only workspaces, name servers and databases; nothing reaches a worker; only named clients reach metrics", async () => {
    const policy = (name: string, from = objects): V1NetworkPolicy["spec"] => named<V1NetworkPolicy>(from, "NetworkPolicy", name).spec;
    expect(policy("shop-worker")).toMatchObject({ policyTypes: ["Ingress"], ingress: null });
    expect(policy("shop-api")!.ingress).toEqual([{ ports: [{ port: "http" }] }]);
    expect(policy("shop-gateway")!.egress).toEqual([
      { to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "slipway-workspaces" } } }] },
      { ports: expect.arrayContaining([{ port: 53, protocol: "UDP" }]) as unknown },
      { ports: [{ port: 5432 }] },
    ]);
    const door = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } };
    const watcher = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } };
    const closed = await renderChart(changed({ networkPolicy: { visitors: [door], metrics: [watcher] } }));
    expect(policy("shop-api", closed)!.ingress).toEqual([
      { ports: [{ port: "http" }], _from: [door] },
      { ports: [{ port: "metrics" }], _from: [watcher] },
    ]);
    // A worker looks at workspaces through a gateway.
    expect(policy("shop-gateway", closed)!.ingress![0]!._from).toContainEqual({
      podSelector: { matchLabels: expect.objectContaining({ "app.kubernetes.io/component": "worker" }) as unknown },
    });
    expect(policy("shop-worker", closed)!.ingress).toEqual([{ ports: [{ port: "metrics" }], _from: [watcher] }]);
  });

  test("the panel's host leads to the api, every name below it to a gateway", async () => {
    const ingress = named<V1Ingress>(
      await renderChart(changed({ ingress: { enabled: true, className: "nginx", tlsSecret: "tls" } })),
      "Ingress",
      "shop",
    );
    expect(ingress.spec!.rules!.map(({ host, http }) => [host, http!.paths[0]!.backend.service!.name])).toEqual([
      ["app.example.com", "shop-api"],
      ["*.app.example.com", "shop-gateway"],
    ]);
    expect(ingress.spec!.tls).toEqual([{ secretName: "tls", hosts: ["app.example.com", "*.app.example.com"] }]);
    const settings = { API_URL: "https://api.example.com/v2", PLANS_URL: "https://api.example.com/plans", INSTANCE_PATH: "/own" };
    const apart = named<V1Ingress>(
      await renderChart(changed({ settings, ingress: { enabled: true, className: "nginx", tlsSecret: "tls" } })),
      "Ingress",
      "shop",
    )!;
    expect(apart.spec!.rules!.map(({ host, http }) => [host, http!.paths[0]!.backend.service!.name])).toEqual([
      ["app.example.com", "shop-api"],
      ["api.example.com", "shop-api"],
      ["*.app.example.com", "shop-gateway"],
    ]);
    expect(apart.spec!.tls![0]!.hosts).toEqual(["app.example.com", "api.example.com", "*.app.example.com"]);
  });

  test("Prometheus finds every process under the job that the rules use, and gets the rules", async () => {
    const monitored = await renderChart(
      changed({ metrics: { serviceMonitor: { enabled: true }, rules: { enabled: true, labels: { release: "p" } } } }),
    );
    expect(named(monitored, "ServiceMonitor", "shop")).toMatchObject({
      spec: { jobLabel: "app.kubernetes.io/name", endpoints: [{ port: "metrics" }] },
    });
    expect(named(monitored, "Service", "shop-metrics")).toMatchObject({
      metadata: { labels: { "app.kubernetes.io/name": "slipway" } },
      spec: { clusterIP: "None", selector: { "app.kubernetes.io/name": "slipway", "app.kubernetes.io/instance": "shop" } },
    });
    const rules = named(monitored, "PrometheusRule", "shop");
    expect(rules).toMatchObject({
      metadata: { labels: { release: "p" } },
      spec: loadYaml(readFileSync(join(root, "monitoring/alerts.yaml"), "utf8")),
    });
  });

  test("customers' files outlive the release", () => {
    expect(named(objects, "Namespace", "slipway-workspaces").metadata).toMatchObject({
      annotations: { "helm.sh/resource-policy": "keep" },
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
    });
  });
});
