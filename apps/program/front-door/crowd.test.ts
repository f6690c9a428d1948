import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { createCrowd, mostConnections } from "./crowd.ts";

test.each([
  ["Max open files            20000                20000                files", 15_000],
  ["Max open files            1024                 4096                 files", 768],
  ["Max open files            unlimited            unlimited            files", 75_000],
  ["Max open files            1048576              1048576              files", 100_000],
  ["", 768],
])("with the limit %j there are at most %i connections", (limits, most) => {
  expect(mostConnections(`Max file locks unlimited\n${limits}\nMax locked memory 1`)).toBe(most);
});

test("this machine has a connection limit", () => {
  expect(mostConnections()).toBeGreaterThan(100);
});

test("an upload that waits for us makes no room: its sender can do nothing, and its call would be lost", () => {
  const gone: string[] = [];
  const crowd = createCrowd(3, () => undefined);
  const enter = (name: string): Socket => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: "127.0.0.1", destroyed: false, destroy: () => gone.push(name) });
    crowd.enter(socket as unknown as Socket);
    return socket as unknown as Socket;
  };
  const upload = (name: string, readableLength: number): void => {
    const req = {
      socket: enter(name),
      headers: { "content-length": "100000" },
      complete: false,
      readableLength,
      readableHighWaterMark: 65_536,
    };
    crowd.ask(req as unknown as IncomingMessage, new EventEmitter() as ServerResponse);
  };
  upload("held", 65_536);
  crowd.stay(enter("tunnel"));
  upload("dripping", 10);
  enter("new 1");
  enter("new 2");
  expect(gone).toEqual(["dripping", "tunnel"]);
});
