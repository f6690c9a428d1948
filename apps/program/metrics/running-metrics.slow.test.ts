/** What a running program measures of itself and its fleet. */
import { expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { metricValue } from "#testing/program/metric-value.ts";
import { findFreePort, startSlipway } from "#testing/program/start-slipway.ts";

test("a running program measures calls, visits, steps, starts, queues and its fleet", async () => {
  const metricsPort = await findFreePort();
  await using slipway = await startSlipway({ env: { METRICS_PORT: String(metricsPort) } });
  const scrape = async (): Promise<string> => (await ask(`http://127.0.0.1:${metricsPort}/metrics`)).text;
  expect(metricValue(await scrape(), "slipway_database_answers")).toBe(1);

  const customer = await slipway.launch();
  await slipway.until(customer, ({ status }) => status === instanceStatus.online);
  await ask(`${slipway.workspaceUrl(customer.accountName)}/hello`);
  await ask(`${slipway.workspaceUrl("nobody")}/hello`);
  await ask(`${slipway.url}/api/no/such/call`);

  // Fleet and queues are read again after ten seconds, promises after thirty, and the workspace's mail may still wait then.
  let text = "";
  const lookAgain = async () => {
    text = await scrape();
    const online = metricValue(text, "slipway_workspaces", { state: "online" });
    const hasLaunched = metricValue(text, "slipway_promise_success_seconds", { promise: "launch" }) !== undefined;
    return { online, hasLaunched, mails: metricValue(text, "slipway_queue_waiting", { queue: "mails" }) };
  };
  await expect.poll(lookAgain, { timeout: 90_000 }).toEqual({ online: 1, hasLaunched: true, mails: 0 });
  expect(metricValue(text, "slipway_workspace_start_seconds_count")).toBe(1);
  expect(metricValue(text, "slipway_workspace_launch_seconds_count")).toBe(1);
  expect(metricValue(text, "slipway_pool_blanks", { state: "ready" })).toBe(0);
  expect(metricValue(text, "slipway_billing_events_total", { outcome: "given-up" })).toBe(0);
  expect(metricValue(text, "slipway_workspace_events_total", { event: "online" })).toBe(1);
  expect(metricValue(text, "slipway_gateway_request_seconds_count", { outcome: "2xx" })).toBeGreaterThan(0);
  expect(metricValue(text, "slipway_gateway_request_seconds_count", { outcome: "workspace_unknown" })).toBe(1);
  expect(metricValue(text, "slipway_reconcile_step_seconds_count", { step: "mark-online", outcome: "done" })).toBeGreaterThan(0);
  expect(metricValue(text, "slipway_api_request_seconds_count", { route: "none", status: "404" })).toBeGreaterThan(0);
  expect(metricValue(text, "slipway_promise_open_seconds", { promise: "backup" })).toBe(0);
  expect(metricValue(text, "slipway_workspaces_down")).toBe(0);
  expect(metricValue(text, "slipway_workspaces_expected")).toBe(1);
  expect(metricValue(text, "slipway_capacity_days_left", { host: "main", resource: "disk" })).toBe(365);
  expect(metricValue(text, "slipway_check_failing_seconds", { check: "storage" })).toBe(0);
  for (const loop of ["mails", "billing", "workspaces", "signals", "gateway visits"])
    expect(metricValue(text, "slipway_loop_success_seconds", { loop }), loop).toBeLessThan(120);
  expect(text).toContain("process_cpu_seconds_total");
  // Nothing in it names a customer, their workspace or an address.
  for (const secret of [customer.accountName, customer.token, customer.email]) expect(text).not.toContain(secret);
  // The service's own port has no metrics.
  expect((await ask(`${slipway.url}/metrics`, { headers: { accept: "*/*" } })).text).not.toContain("slipway_");
});
