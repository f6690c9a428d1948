import { expect, test } from "vitest";
import { describeDeath } from "./notice-death.ts";

const at = new Date(0);
const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----";

test.each([
  ["V8 aborts for want of heap", { code: null, signal: "SIGABRT", at }, heap, "out-of-memory"],
  ["V8 aborts below a shell", { code: 134, signal: null, at }, "", "out-of-memory"],
  ["V8 traps for want of heap", { code: null, signal: "SIGTRAP", at }, heap, "out-of-memory"],
  ["the system killed it at its memory limit", { code: null, signal: "SIGKILL", outOfMemory: true, at }, "", "out-of-memory"],
  ["its platform was asked to end it", { code: null, signal: "SIGTERM", requested: true as const, at }, "", "evicted"],
  [
    "it ran out of memory while its node was freed",
    { code: null, signal: "SIGKILL", outOfMemory: true, requested: true as const, at },
    "",
    "out-of-memory",
  ],
  ["its exit is unknown, but its last output shows the cause", undefined, heap, "out-of-memory"],
  ["only the time of its exit is known, but its last output shows the cause", { code: null, signal: null, at }, heap, "out-of-memory"],
  ["another process killed it", { code: null, signal: "SIGKILL", at }, "", "died"],
  ["it was killed by hand after an older want of heap", { code: null, signal: "SIGKILL", at }, heap, "died"],
  ["it aborted for another reason", { code: null, signal: "SIGABRT", at }, "assertion failed", "died"],
  ["it exited by itself", { code: 1, signal: null, at }, "a workflow printed: heap", "died"],
  ["its exit is unknown, and it printed nothing", undefined, "", "died"],
])("%s", (_title, exit, logs, event) => {
  expect(describeDeath(exit, logs).event).toBe(event);
});

test("an exit with a known time but no code has no code in the journal", () => {
  expect(describeDeath({ code: null, signal: null, at }, "").how).toBe("unknown cause");
});
