import { expect, test } from "vitest";
import type { RouteFacts } from "#domain/workspaces/workspace-store.ts";
import type { GatewayRoute } from "../../gateway/routes/gateway-route.ts";
import { gatewayRoute } from "./start-gateway.ts";

const online: RouteFacts = {
  workspaceId: "w",
  desiredState: "running",
  observedState: "online",
  generation: 1,
  observedGeneration: 1,
  address: "127.0.0.1:20001",
  gatewayOpen: true,
  asleepSince: null,
  coldSince: null,
  memoryMb: 1024,
  host: "main",
  hostAddress: null,
  isHostSilent: false,
  progressPercent: null,
  reason: null,
  isSuspended: false,
  subscription: "active",
  isTrial: false,
};

const table: [what: string, facts: Partial<RouteFacts>, route: Partial<GatewayRoute>][] = [
  ["online and open", {}, { state: "online", open: true, address: "127.0.0.1:20001" }],
  ["open, its last step not yet saved", { observedState: "starting" }, { state: "online", open: true }],
  [
    "requested a moment ago",
    { observedState: "none", address: null, gatewayOpen: false },
    { state: "starting", open: false, address: null },
  ],
  [
    "booting, reachable only for our own probe",
    { observedState: "starting", gatewayOpen: false },
    { state: "starting", open: false, address: "127.0.0.1:20001" },
  ],
  [
    "booting, and its worker said how far it is",
    { observedState: "starting", gatewayOpen: false, progressPercent: 60 },
    { state: "starting", percent: 60 },
  ],
  ["died a moment ago", { observedState: "starting", address: null, gatewayOpen: false }, { state: "starting", open: false }],
  ["restarting, not yet seen by a worker", { generation: 2 }, { state: "online", open: true }],
  ["restarting, closed by the worker", { generation: 2, gatewayOpen: false }, { state: "starting", open: false }],
  ["open by mistake without an address", { address: null }, { state: "starting", open: false, address: null }],
  [
    "failed for now",
    { observedState: "offline", address: null, gatewayOpen: false, reason: "It keeps stopping." },
    { state: "offline", open: false, reason: "It keeps stopping." },
  ],
  ["offline by its health check, still open", { observedState: "offline" }, { state: "online", open: true }],
  ["to be stopped, still running", { desiredState: "stopped" }, { state: "stopped", open: false, address: null }],
  ["stopped", { desiredState: "stopped", observedState: "stopped", address: null, gatewayOpen: false }, { state: "stopped", open: false }],
  [
    "suspended, and not paid for either",
    { desiredState: "stopped", isSuspended: true, subscription: "paused" },
    { state: "stopped", stoppedBecause: "suspended", open: false, address: null },
  ],
  ["paused, as payments failed", { desiredState: "stopped", subscription: "paused" }, { state: "stopped", stoppedBecause: "paused" }],
  [
    "stopped at its trial's end",
    { desiredState: "stopped", subscription: "deleted", isTrial: true },
    { state: "stopped", stoppedBecause: "trial-ended" },
  ],
  ["stopped with its subscription", { desiredState: "stopped", subscription: "deleted" }, { state: "stopped", stoppedBecause: "ended" }],
  ["stopped, desired again", { observedState: "stopped", address: null, gatewayOpen: false }, { state: "starting", open: false }],
];

test.each(table)("the gateway's route to a workspace that is %s", (_what, facts, route) => {
  expect(gatewayRoute({ ...online, ...facts })).toMatchObject({ workspaceId: "w", ...route });
});

test.each(["online", "deleted"] as const)("a workspace to be deleted is unknown immediately, last seen %s", (observedState) => {
  expect(gatewayRoute({ ...online, desiredState: "deleted", observedState })).toBeNull();
});

const other = { host: "two", hostAddress: "10.0.0.2:3000" };

test.each([
  ["online", {}],
  ["asleep", { asleepSince: new Date() }],
  ["starting", { observedState: "starting", gatewayOpen: false, address: null }],
  ["offline", { observedState: "offline", gatewayOpen: false, address: null, reason: "It keeps stopping." }],
] as const)("a workspace of another host, %s there, is reached through that host's gateway", (_state, facts) => {
  const route = { workspaceId: "w", state: "online", open: true, address: "10.0.0.2:3000", elsewhere: "heard" };
  expect(gatewayRoute({ ...online, ...other, ...facts })).toEqual(route);
  expect(gatewayRoute({ ...online, ...other, ...facts }, "two")).not.toHaveProperty("elsewhere");
  expect(gatewayRoute({ ...online, ...other, ...facts, isHostSilent: true })).toEqual({ ...route, elsewhere: "silent" });
});

test("requests that need no workspace are answered by every host, and a host without a gateway is offline", () => {
  expect(gatewayRoute({ ...online, ...other, desiredState: "deleted" })).toBeNull();
  expect(gatewayRoute({ ...online, ...other, desiredState: "stopped" })).toMatchObject({ state: "stopped", address: null });
  expect(gatewayRoute({ ...online, ...other, hostAddress: null })).toMatchObject({ state: "offline", open: false });
  // One without a host yet is about to get one.
  expect(gatewayRoute({ ...online, host: null, observedState: "none", address: null, gatewayOpen: false })).toMatchObject({
    state: "starting",
  });
});

test("a reason is passed on only if there is one", () => {
  expect(gatewayRoute(online)).not.toHaveProperty("reason");
});
