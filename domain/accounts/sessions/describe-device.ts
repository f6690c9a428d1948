/**
 * Browser and system in words that users know, from the user agent. Clients may send any text, so
 * none of it is kept: it only selects among the names below.
 */

/** Browsers send at most some 250 characters, apps around them 400. */
const mostRead = 512;

/** In this order: Edge, Opera and others also call themselves Chrome, and Chrome calls itself Safari. */
const browsers: readonly [mark: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPX\/|\bOPT\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\b(?:DuckDuckGo|Ddg)\//, "DuckDuckGo"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

/** An iPad's Safari calls itself a Mac, and nothing else tells them apart. */
const systems: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** Such as "Firefox on Windows", "Safari" or "Android"; null for an unknown client, such as most programs. At most 30 characters. */
export function describeDevice(userAgent: string | undefined): string | null {
  const said = (userAgent ?? "").slice(0, mostRead);
  const find = (known: typeof browsers) => known.find(([mark]) => mark.test(said))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null);
}
