/** With a clock that is moved by hand. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepCurrent } from "./keep-current.ts";

let readElsewhereAtMs: number;
beforeEach(() => {
  vi.useFakeTimers();
  readElsewhereAtMs = -Infinity;
});
afterEach(() => void vi.useRealTimers());

function leaveOpen(readUser: () => Promise<unknown> | undefined = async () => null) {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" as DocumentVisibilityState });
  const network = new EventTarget();
  const read = { users: 0, configs: 0 };
  keepCurrent({
    page: page as unknown as Document,
    network: network as unknown as Window,
    readUser() {
      read.users += 1;
      return readUser();
    },
    hasReadIn: (ms) => Date.now() - readElsewhereAtMs < ms,
    readConfig: () => void (read.configs += 1),
  });
  return {
    read,
    show(isVisible: boolean) {
      page.visibilityState = isVisible ? "visible" : "hidden";
      page.dispatchEvent(new Event("visibilitychange"));
    },
    reconnect: () => network.dispatchEvent(new Event("online")),
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000),
  };
}

test("the user of a visible page is read 120 times an hour, the settings twice", async () => {
  const { read, pass } = leaveOpen();
  await pass(3600);
  expect(read).toEqual({ users: 120, configs: 2 });
});

test("a hidden page reads nothing for a week, and everything as soon as it is seen", async () => {
  const { read, show, pass } = leaveOpen();
  show(false);
  await pass(7 * 24 * 3600);
  expect(read).toEqual({ users: 0, configs: 0 });
  show(true);
  await pass(0);
  expect(read).toEqual({ users: 1, configs: 1 });
});

test("with the network back, the user is read immediately", async () => {
  const { read, reconnect, pass } = leaveOpen();
  reconnect();
  await pass(0);
  expect(read.users).toBe(1);
});

test("while the service cannot be reached, the settings stay as they are", async () => {
  const { read, pass } = leaveOpen(() => Promise.reject(new Error("unreachable")));
  await pass(3600);
  expect(read).toEqual({ users: 120, configs: 0 });
});

test("after the browser's clock was set back, the difference to the service's is read again", async () => {
  const { read, pass } = leaveOpen();
  vi.setSystemTime(Date.now() - 24 * 3600 * 1000);
  await pass(30);
  expect(read.configs).toBe(1);
});

test("a page that has just read the user itself is not asked again", async () => {
  const { read, pass } = leaveOpen();
  await pass(25);
  readElsewhereAtMs = Date.now();
  await pass(5);
  expect(read.users).toBe(0);
  await pass(30);
  expect(read.users).toBe(1);
});
