/** The way to a page of the payment provider: the address comes from an answer, so it is looked at before it is followed. */

/** The address, if it is one that a browser may be sent to: http or https, nothing else. A local path is one of the panel's own host. */
export function followableUrl(url: string, base: string = location.href): string | null {
  const parsed = URL.parse(url, base);
  return parsed && (parsed.protocol === "https:" || parsed.protocol === "http:") ? parsed.href : null;
}

/** Leaves the panel for `url`. Throws where it is no address for a browser. */
export function followLink(url: string): void {
  const target = followableUrl(url);
  if (!target) throw new Error(`an answer led to ${url.slice(0, 80)}`);
  location.assign(target);
}
