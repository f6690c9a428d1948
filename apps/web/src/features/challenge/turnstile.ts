/** Cloudflare's own widget, for operators who chose it. Its script is fetched only then. */
import { loadScript } from "../../lib/browser/load-script.ts";

const turnstileScript = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

interface TurnstileWidget {
  render(container: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
  remove(id: string): void;
}

export interface RunningTurnstile {
  reset(): void;
  remove(): void;
}

interface TurnstileEvents {
  /** A token, or null once the previous one is no longer valid. */
  onToken: (token: string | null) => void;
  onFailure: () => void;
}

/** Shows the widget in `container`; rejects if its script does not load within 15 s. */
export async function showTurnstile(
  container: HTMLElement,
  siteKey: string,
  { onToken, onFailure }: TurnstileEvents,
): Promise<RunningTurnstile> {
  await loadScript(turnstileScript);
  const { turnstile } = window as { turnstile?: TurnstileWidget };
  if (!turnstile) throw new Error("the script loaded without its widget");
  const id = turnstile.render(container, {
    sitekey: siteKey,
    callback: onToken,
    "expired-callback": () => onToken(null),
    "timeout-callback": () => onToken(null),
    "error-callback": () => (onFailure(), true),
  });
  return { reset: () => (onToken(null), turnstile.reset(id)), remove: () => turnstile.remove(id) };
}
