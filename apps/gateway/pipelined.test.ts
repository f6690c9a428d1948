/** Many calls on one connection, of which none waits for the answer to the one before. */
import { connect } from "node:net";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { ask, exchange, online, startPair } from "#testing/network/start-test-gateway.ts";

const webhooks = { isCall: (_method: string, url: string) => url.startsWith("/webhook/"), note: () => undefined };

test("pipelined calls of one who leaves give all their places back", async () => {
  const held: ServerResponse[] = [];
  await using front = await startPair(
    (req, res) => {
      if (req.url === "/webhook/1") return void res.end("done");
      held.push(res);
      res.once("close", () => held.splice(held.indexOf(res), 1));
    },
    { webhooks, limits: { maxWaitMs: 1000 } },
  );
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: 8 }));
  const socket = connect({ port: front.port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.write("GET /webhook/held HTTP/1.1\r\nhost: acme.localhost\r\n\r\n".repeat(40));
  await expect.poll(() => front.arrived()).toBe(40);
  await expect.poll(() => held.length).toBe(8);
  socket.destroy();
  await expect.poll(() => held.length).toBe(0);
  const answers = await Promise.all(Array.from({ length: 16 }, () => ask(front.port, { path: "/webhook/1" })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test("pipelined calls wait in the queue like others, and are answered in their order", async () => {
  let now = 0;
  let most = 0;
  await using front = await startPair(
    (req, res) => {
      most = Math.max(most, (now += 1));
      setTimeout(() => {
        now -= 1;
        res.end(`answer ${req.url!};`);
      }, 5);
    },
    { webhooks },
  );
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: 8 }));
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  const calls = numbers.map((number) => `POST /webhook/${number} HTTP/1.1\r\nhost: acme.localhost\r\ncontent-length: 2\r\n\r\n{}`);
  const text = await exchange(front.port, calls.join(""), "answer /webhook/99;");
  expect([...text.matchAll(/answer \/webhook\/(\d+);/g)].map(([, number]) => Number(number))).toEqual(numbers);
  expect(most).toBeLessThanOrEqual(8);
});
