/** The metrics server is not part of a cluster's own programs, so its answers are given here. */
import { createServer } from "node:http";
import { CustomObjectsApi } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { listenAsCluster } from "#testing/cluster/listen-as-cluster.ts";
import { usualLimits, makeClient } from "./limited-calls.ts";
import type { Cluster } from "./open-cluster.ts";
import { mebibytes, processors, readUsage } from "./read-usage.ts";

async function read(status: number, answer: object): Promise<[string | undefined, Map<string, object>]> {
  let asked: string | undefined;
  const server = createServer(({ url }, response) => {
    asked = url;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const { config } = await listenAsCluster(server);
  try {
    const usage = await readUsage({ added: makeClient(config, usualLimits, CustomObjectsApi), namespace: "workspaces" } as Cluster, [
      "one",
      "two",
      "Three",
      "four",
      "five",
    ]);
    return [asked, usage];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("each running workspace has the memory and processor usage that the metrics server saw in its container", async () => {
  const container = (memory: string, name = "workspace", cpu = "1254321987n") => ({ name, usage: { cpu, memory } });
  const items = [
    { metadata: { name: "w-one" }, containers: [container("1Gi", "injected"), container("307200Ki")] },
    { metadata: { name: "w-other" }, containers: [container("1Mi")] },
    { metadata: { name: "w-two" }, containers: [] },
    { metadata: { name: "w-four" }, containers: [container("314572800123m")] },
    { metadata: { name: "w-five" }, containers: [container("1Mi", "workspace", "")] },
  ];
  const [asked, usage] = await read(200, { items });
  expect(asked).toBe("/apis/metrics.k8s.io/v1beta1/namespaces/workspaces/pods");
  expect(usage).toEqual(
    new Map([
      ["one", { memoryMb: 300, cpuPercent: 125 }],
      ["five", { memoryMb: 1 }],
    ]),
  );
});

test("a cluster without a metrics server gives no figures, and one that refuses is an error", async () => {
  expect((await read(404, { kind: "Status" }))[1]).toEqual(new Map());
  expect((await read(503, { kind: "Status" }))[1]).toEqual(new Map());
  await expect(read(403, { kind: "Status" })).rejects.toThrow("metrics");
});

test.each([
  ["5Gi", 5120],
  ["512Mi", 512],
  ["2048Ki", 2],
  ["1048576", 1],
  ["1G", 953.7],
])("%s is %d MiB", (quantity, expected) => expect(mebibytes(quantity)).toBeCloseTo(expected, 1));

test.each([
  ["1250000000n", 1.25],
  ["12500u", 0.0125],
  ["250m", 0.25],
  ["2", 2],
  ["", NaN],
])("%s is %d processors", (quantity, expected) => expect(processors(quantity)).toBe(expected));
