/** Several processes with the API on one database, as behind a load balancer. */
import { expect, onTestFinished, test } from "vitest";
import { createTestApi } from "#testing/test-api.ts";
import { buildApi } from "./build-api.ts";

test("a limit on calls applies to all processes together, and starts again after its minute", async () => {
  await using api = await createTestApi();
  const second = await buildApi(api.services);
  onTestFinished(() => second.close());
  const call = async (app: typeof second, remoteAddress: string) =>
    app.inject({ method: "GET", url: "/api/auth/challenge", remoteAddress, headers: { host: "localhost" } });
  const statuses: number[] = [];
  for (let n = 0; n < 31; n += 1)
    for (const app of [api.app, second]) statuses.push((await call(app as typeof second, "192.0.2.1")).statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.slice(60)).toEqual([429, 429]);
  const refused = await call(second, "192.0.2.1");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await call(second, "192.0.2.2")).statusCode).toBe(200);
  // Nothing in the table tells whose calls they were.
  expect(JSON.stringify((await api.database.pool.query("select * from call_counts")).rows)).not.toContain("192.0.2");
  await api.database.pool.query("update call_counts set until = clock_timestamp() - interval '1 second'");
  expect((await call(second, "192.0.2.1")).statusCode).toBe(200);
});

test("while calls cannot be counted, each process's own limit holds", async () => {
  await using api = await createTestApi();
  await api.database.pool.query("drop table call_counts");
  const statuses: number[] = [];
  for (let n = 0; n < 61; n += 1)
    statuses.push((await api.app.inject({ method: "GET", url: "/api/auth/challenge", headers: { host: "localhost" } })).statusCode);
  expect(statuses.slice(58)).toEqual([200, 200, 429]);
});
