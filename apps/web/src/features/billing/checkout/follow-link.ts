/** Opens a page of the payment provider. The address comes from an answer, so it is checked first. */

/** The address, if a browser may be sent to it: http or https, nothing else. A local path is on the panel's own host. */
export function followableUrl(url: string, base: string = location.href): string | null {
  const parsed = URL.parse(url, base);
  return parsed && (parsed.protocol === "https:" || parsed.protocol === "http:") ? parsed.href : null;
}

/** Leaves the panel for `url`. Throws if that is not a browser address. */
export function followLink(url: string): void {
  const target = followableUrl(url);
  if (!target) throw new Error(`an answer led to ${url.slice(0, 80)}`);
  location.assign(target);
}
