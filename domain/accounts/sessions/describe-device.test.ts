import { expect, test } from "vitest";
import { describeDevice } from "./describe-device.ts";

test.each([
  ["Firefox on Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"],
  ["Firefox on Linux", "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"],
  ["Firefox on Android", "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"],
  [
    "Firefox on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 Mobile/15E148 Safari/605.1.15",
  ],
  [
    "Chrome on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  ],
  ["Chrome on Linux", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36"],
  ["Chrome on ChromeOS", "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"],
  [
    "Chrome on iPad",
    "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "Edge on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
  ],
  [
    "Opera on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0",
  ],
  [
    "Samsung Internet on Android",
    "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
  ],
  [
    "Safari on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  ],
  ["Android", "Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/AP4A)"],
])("%s is recognized by its user agent", (device, userAgent) => {
  expect(describeDevice(userAgent)).toBe(device);
});

test.each([[undefined], [""], ["curl/8.5.0"], ["node"], ["<script>alert(1)</script>"], ["\u202egnirts"], ["Firefoxy Windowsill"]])(
  "%j is nothing that we know",
  (userAgent) => {
    expect(describeDevice(userAgent)).toBeNull();
  },
);

test("for any user agent, only the product's own names are kept, and long texts take no time", () => {
  const before = process.cpuUsage();
  for (const said of [
    `Firefox/<img src=x onerror=alert(1)> Windows`,
    `${"Version/1 ".repeat(50_000)}Safari`,
    `Version/${"1.".repeat(500_000)}`,
    `${"x".repeat(600)} Firefox/1 Windows`,
  ]) {
    expect([null, "Firefox on Windows", "Safari"]).toContain(describeDevice(said));
  }
  // Linear work takes a millisecond of processor time; a pattern that backtracks would take minutes.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
