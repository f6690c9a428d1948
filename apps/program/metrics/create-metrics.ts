/** What this process measures, in Prometheus's terms. Labels come from fixed lists, never from customers or their workspaces. */
import { eventOutcomes, type EventOutcome } from "#domain/billing/billing.ts";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Answered } from "../../api/services.ts";
import type { Gateway, GatewayAnswer } from "../../gateway/create-gateway.ts";
import type { ReconcileMetrics } from "../../provisioner/reconcile/step.ts";

export interface Metrics {
  registry: Registry;
  /** An answer of the panel's API or pages. */
  answered(answer: Answered): void;
  /** An answer of the gateway: a workspace's own, or a refusal. */
  passed(answer: GatewayAnswer): void;
  reconcile: ReconcileMetrics;
  /** An attempt to handle an event of the payment provider. */
  billingEvent(outcome: EventOutcome): void;
  /** The host of a workspace gets no certificate because the week's are used up. */
  certificateRefused(): void;
  /** How many workspaces this host wants to have ready for launches. */
  poolWanted(blanks: number): void;
  /** From now on, each scrape counts the WebSockets that this gateway holds open. */
  follow(gateway: Pick<Gateway, "openWebSockets">): void;
}

/** From a cached page to a webhook whose workflow runs for minutes. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const stepBuckets = [0.001, 0.01, 0.1, 0.5, 1, 5, 15, 60, 300];
/** A warm start takes 4 to 6 s; after three minutes a start has failed. */
const startBuckets = [0.5, 1, 2, 3, 4, 6, 8, 12, 20, 40, 90, 180];
/** A thaw takes hundredths of a second, or seconds if memory is read back from a disk. */
const wakeBuckets = [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 4, 8, 28];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const api = new Histogram({
    name: "slipway_api_request_seconds",
    help: "Answers of the panel's API and pages.",
    labelNames: ["method", "route", "status"],
    buckets: requestBuckets,
    registers,
  });
  const gateway = new Histogram({
    name: "slipway_gateway_request_seconds",
    help: "Requests to workspaces, from the request's headers to the end of the response. outcome: the status of the workspace's response, the gateway's own refusal, or left.",
    labelNames: ["outcome"],
    buckets: requestBuckets,
    registers,
  });
  const steps = new Histogram({
    name: "slipway_reconcile_step_seconds",
    help: "Steps that bring a workspace to its desired state. outcome: done, wait, failed, or broke (an unexpected error).",
    labelNames: ["step", "outcome"],
    buckets: stepBuckets,
    registers,
  });
  const events = new Counter({
    name: "slipway_workspace_events_total",
    help: "Entries that workers wrote in workspaces' journals; docs/runbooks/read-a-journal.md explains each.",
    labelNames: ["event"],
    registers,
  });
  const starts = new Histogram({
    name: "slipway_workspace_start_seconds",
    help: "From the start of a workspace's process until it is online at its address, also after a long sleep.",
    buckets: startBuckets,
    registers,
  });
  const launches = new Histogram({
    name: "slipway_workspace_launch_seconds",
    help: "From the request for a new workspace until it is online for the first time.",
    buckets: startBuckets,
    registers,
  });
  const quota = new Counter({
    name: "slipway_quota_alerts_total",
    help: "Owners notified that their plan's executions are nearly or completely used up.",
    labelNames: ["kind"],
    registers,
  });
  const billingEvents = new Counter({
    name: "slipway_billing_events_total",
    help: "Attempts to handle an event from the payment provider. outcome: handled, failed (will be retried), given-up.",
    labelNames: ["outcome"],
    registers,
  });
  const certificates = new Counter({
    name: "slipway_certificates_refused_total",
    help: "Handshakes for a workspace's host that got no certificate because this week's are used up (CERTIFICATES_PER_WEEK).",
    registers,
  });
  // The first event that is given up must be an increase.
  for (const outcome of eventOutcomes) billingEvents.inc({ outcome }, 0);
  const wakes = new Histogram({
    name: "slipway_workspace_wake_seconds",
    help: "From the first request for a frozen workspace until it is awake. Stopped workspaces are started instead and not counted here.",
    buckets: wakeBuckets,
    registers,
  });
  const wanted = new Gauge({
    name: "slipway_pool_wanted",
    help: "Workspaces that this worker's host wants to have ready for future launches.",
    registers,
  });
  return {
    registry,
    answered: ({ method, route, status, ms }) => api.observe({ method: knownMethod(method), route, status }, ms / 1000),
    passed: ({ outcome, ms }) => gateway.observe({ outcome }, ms / 1000),
    reconcile: {
      stepped: (step, outcome, ms) => steps.observe({ step, outcome }, ms / 1000),
      journalled: (event) => events.inc({ event }),
      started: (ms) => starts.observe(ms / 1000),
      launched: (ms) => launches.observe(ms / 1000),
      usageTold: (kind) => quota.inc({ kind }),
      woken: (ms) => wakes.observe(ms / 1000),
    },
    billingEvent: (outcome) => billingEvents.inc({ outcome }),
    certificateRefused: () => certificates.inc(),
    poolWanted: (blanks) => wanted.set(blanks),
    follow(followed) {
      new Gauge({
        name: "slipway_gateway_websockets",
        help: "WebSockets open between visitors and workspaces.",
        registers,
        collect() {
          this.set(followed.openWebSockets());
        },
      });
    },
  };
}

/** A client may send any word as the method. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const knownMethod = (method: string): string => (methods.has(method) ? method : "other");
