/** HTML templates for the sandbox's pages: every value is escaped unless it is markup already. */

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => named[sign]!);

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(render).join("");
  return part === false || part === null || part === undefined ? "" : escape(String(part));
}

/** A template with escaped values; `false`, `null` and `undefined` render as nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.map((string, index) => string + (index < parts.length ? render(parts[index]) : "")).join(""));
}
