/** Holds the alert rules, the dashboard and their pages to what the program measures. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { refusals } from "#apps/gateway/refusals/refusal.ts";
import { createMetrics } from "#apps/program/metrics/create-metrics.ts";
import { measureService } from "#apps/program/metrics/measure-service.ts";
import type { Parts } from "#apps/program/parts/open-parts.ts";
import { eventOutcomes } from "#domain/billing/billing.ts";
import { promises } from "#domain/signals/signal.ts";
import { journalEvents } from "#domain/workspaces/journal-events.ts";
import { createRounds } from "#platform/loops/rounds.ts";
import { findDebianProgram, hasDebianPrograms } from "#testing/debian-program.ts";

const here = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");
const run = promisify(execFile);
const alerts = here("alerts.yaml");
const dashboard = here("dashboard.json");
const runbook = here("../docs/runbooks/alerts.md");
const survival = here("../docs/survival.md");
const metricsPage = here("../docs/metrics.md");
const alertNames = [...alerts.matchAll(/- alert: (\w+)/g)].map((match) => match[1]!);

/** Every metric that some process of the service has, with the names its histograms are queried by. */
async function measured(): Promise<{ own: string[]; queried: Set<string> }> {
  const { registry, follow } = createMetrics();
  follow({ openWebSockets: () => 0 });
  measureService(registry, { config: { roles: new Set(["worker"]) }, rounds: createRounds() } as unknown as Parts, {
    troubles: () => [],
    contact: { awaySeconds: () => 0 },
    gateway: { servesFromMemory: () => 0 },
  });
  const all = registry.getMetricsAsArray() as unknown as { name: string; type: string }[];
  const own = all.map(({ name }) => name).filter((name) => name.startsWith("slipway_"));
  const queried = all.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]);
  return { own, queried: new Set(queried) };
}

test.runIf(hasDebianPrograms)("Prometheus accepts the alert rules, and each rings when it should", { timeout: 180_000 }, async () => {
  const promtool = await findDebianProgram("prometheus", "usr/bin/promtool");
  const options = { cwd: import.meta.dirname };
  await expect(run(promtool, ["check", "rules", "alerts.yaml"], options)).resolves.toBeDefined();
  await expect(run(promtool, ["test", "rules", "alerts.test.yaml"], options)).resolves.toBeDefined();
});

test("every alert has its own case, and a place in the runbook to which it links", () => {
  expect(alertNames.length).toBeGreaterThan(10);
  const cases = here("alerts.test.yaml");
  for (const name of alertNames) {
    expect(cases).toMatch(new RegExp(`alertname: ${name}\n *exp_alerts:\n`));
    expect(runbook).toContain(`## ${name}\n`);
    expect(alerts).toContain(`runbook: docs/runbooks/alerts.md#${name.toLowerCase()}\n`);
  }
  expect([...runbook.matchAll(/^## (Slipway\w+)$/gm)].map((match) => match[1])).toEqual(alertNames);
});

test("every alert is tried with its figures well, failing and gone", () => {
  const cases = here("alerts.test.yaml").split("  - name: ").slice(1);
  const gone = cases.find((each) => each.startsWith("everything fails and then its source is gone"))!;
  const well = (name: string) => new RegExp(`alertname: ${name}, exp_alerts: \\[\\] \\}`);
  const rings = (name: string) => new RegExp(`alertname: ${name}\n *exp_alerts:\n`);
  for (const name of alertNames) {
    // Those on missing figures ring there, and are quiet elsewhere.
    expect(
      cases.some((each) => each !== gone && rings(name).test(each)),
      `${name}: failing`,
    ).toBe(true);
    expect(
      cases.some((each) => each !== gone && well(name).test(each)),
      `${name}: well`,
    ).toBe(true);
    expect(well(name).test(gone) || rings(name).test(gone), `${name}: gone`).toBe(true);
    for (const metric of metricsOf(name)) expect(gone, `${name}: ${metric}`).toContain(`series: '${metric}`);
  }
});

test("every figure of a worker that a dashboard should show is on it", async () => {
  const { own } = await measured();
  const signals = own.filter((name) => /^slipway_(promise|check|capacity|certificate_days|loop_success|workspaces_down)/.test(name));
  expect(signals.length).toBeGreaterThan(8);
  expect(signals.filter((name) => name !== "slipway_check_success_seconds" && !dashboard.includes(name))).toEqual([]);
});

test("rules and dashboard ask only for metrics, events and refusals that exist", async () => {
  const { queried } = await measured();
  const named = [...`${alerts}${dashboard}`.matchAll(/\b(?:slipway|process|nodejs)_\w+/g)].map((match) => match[0]);
  expect(named.filter((name) => !queried.has(name))).toEqual([]);
  const codes: string[] = Object.values(refusals).map(({ code }) => code);
  const known = new Set<string>([...journalEvents, ...codes, ...eventOutcomes]);
  const asked = [...alerts.matchAll(/(?:event|outcome)=~?"([^"]+)"/g)].flatMap((match) => match[1]!.split("|"));
  expect(asked.filter((each) => !known.has(each))).toEqual([]);
});

test("docs/metrics.md lists every metric of the service, and nothing else", async () => {
  const listed = [...metricsPage.matchAll(/^\| `(slipway_\w+)`/gm)].map((match) => match[1]!);
  expect(listed.toSorted()).toEqual((await measured()).own.toSorted());
});

/** The rows of a section's tables, as the texts of their cells, without the heads. */
function rowsOf(page: string, section: string): string[][] {
  const text = page.split(`\n## ${section}\n`)[1]!.split("\n## ")[0]!;
  return text
    .split("\n\n")
    .map((block) => block.trim())
    .filter((block) => block.startsWith("| "))
    .flatMap((table) => table.split("\n").slice(2))
    .map((row) => row.replace(/^\| | \|$/g, "").split(" | "));
}

/** The rule's expression and the names of metrics in it. */
function metricsOf(alert: string): string[] {
  const rule = alerts.split(`- alert: ${alert}\n`)[1]!.split("- alert: ")[0]!;
  const expression = /expr: ([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)![1]!;
  return [...expression.matchAll(/\b(?:slipway_\w+|up\b)/g)].map((match) => match[0]);
}

/** What exists outside production only, so that no operator has to watch it. */
const inDevelopment = ["the payment sandbox → `payments/sandbox/start-sandbox.ts`", "a call that moves the clock → every process"];

test("every promise has a metric that the program exports, a rule on it and a place in the runbook", async () => {
  const { queried } = await measured();
  const rows = rowsOf(metricsPage, "Promises");
  const promised = ["Hand-offs", "Failures", "Without the database"].flatMap((section) => rowsOf(survival, section).map((row) => row[0]!));
  expect(promised.length).toBeGreaterThan(50);
  const known = rows.map(([promise]) => promise!);
  expect(promised.filter((promise) => !known.includes(promise))).toEqual([]);
  const own = known.filter((promise) => !promised.includes(promise)).join("\n");
  for (const name of [...promises, "storage", "certificate"]) expect(own, name).toContain(`\`${name}\``);
  for (const name of ["loop", "sweep", "bucket", "pool", "disk", "memory", "clocks", "image", "dump"]) expect(own, name).toContain(name);
  const watched = new Set<string>();
  for (const [promise, metrics, links] of rows) {
    if (metrics === "in development only") {
      expect(inDevelopment).toContain(promise);
      continue;
    }
    const named = [...metrics!.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
    const rules = [...links!.matchAll(/\[(\w+)\]\(runbooks\/alerts\.md#(\w+)\)/g)].map((match) => [match[1]!, match[2]!]);
    expect(named.length, promise).toBeGreaterThan(0);
    expect(rules.length, promise).toBeGreaterThan(0);
    expect(
      named.filter((name) => name !== "up" && !queried.has(name)),
      promise,
    ).toEqual([]);
    const asked = rules.flatMap(([rule, place]) => {
      expect(alertNames, promise).toContain(rule);
      expect(place).toBe(rule!.toLowerCase());
      expect(runbook).toContain(`\n## ${rule}\n`);
      watched.add(rule!);
      const asks = metricsOf(rule!);
      expect(
        named.some((name) => asks.includes(name)),
        `${promise}: ${rule} asks for none of ${named.join(", ")}`,
      ).toBe(true);
      return asks;
    });
    expect(
      named.filter((name) => !asked.includes(name)),
      `${promise}: no rule of it asks for these`,
    ).toEqual([]);
  }
  expect(alertNames.filter((name) => !watched.has(name))).toEqual([]);
});
