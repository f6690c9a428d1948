/** The chart's objects for given values, as Helm renders them for a current Kubernetes. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadAllYaml, type KubernetesObject } from "@kubernetes/client-node";
import { chart, findHelm } from "./helm.ts";

const run = promisify(execFile);

export type Values = Readonly<Record<string, unknown>>;

/** The minimum that production needs. */
export const fewestValues: Values = {
  publicUrl: "https://app.example.com",
  image: { repository: "registry.example/slipway/slipway" },
  workspaces: { images: "registry.example/slipway" },
  secrets: Object.fromEntries(
    ["SECRET_KEY", "DATABASE_URL", "SMTP_URL", "BACKUPS_URL"].map((name) => [name, { name: "slipway", key: name }]),
  ),
};

/** Runs Helm on the chart with these values, in a file. Rejects with Helm's own words. */
export async function runHelm(command: readonly string[], values: Values, options: readonly string[] = []): Promise<string> {
  const { helm } = await findHelm();
  const folder = await mkdtemp(join(tmpdir(), "slipway-chart-"));
  try {
    const file = join(folder, "values.json");
    await writeFile(file, JSON.stringify(values));
    const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    return (await run(helm, [...command, chart, "--values", file, ...options], { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The objects of a release called `shop` in the namespace `selling`. */
export async function renderChart(values: Values = fewestValues): Promise<KubernetesObject[]> {
  const text = await runHelm(["template", "shop"], values, ["--namespace", "selling", "--kube-version", "1.35.0"]);
  return (loadAllYaml(text) as (KubernetesObject | null)[]).filter((object) => object !== null);
}
