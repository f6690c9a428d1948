/** HTML templates for the sandbox's pages: every value is escaped unless it is markup already. */
import { escapeHtml } from "#platform/http/escape-html.ts";

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return part === false || part === null || part === undefined ? "" : escapeHtml(String(part));
}

/** A template with escaped values; `false`, `null` and `undefined` render as nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.map((string, index) => string + (index < parts.length ? render(parts[index]) : "")).join(""));
}
