/**
 * Browser and system in words that their owner knows, from what a browser says of itself. Anybody may say anything there, so
 * nothing of it is kept: it only chooses among names that stand here.
 */

/** The longest that a browser sends is some 250 characters, with an app around it 400. */
const mostRead = 512;

/** In this order: Edge, Opera and others call themselves Chrome as well, and Chrome calls itself Safari. */
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

/** An iPad's Safari says that it is a Mac, and nothing else says otherwise. */
const systems: readonly [mark: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** Such as "Firefox on Windows", "Safari" or "Android"; null where nothing of it is known, as of most programs. At most 30 characters. */
export function describeDevice(userAgent: string | undefined): string | null {
  const said = (userAgent ?? "").slice(0, mostRead);
  const find = (known: typeof browsers) => known.find(([mark]) => mark.test(said))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null);
}
