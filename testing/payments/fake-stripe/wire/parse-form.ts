/** Parses Stripe's form bodies: `items[0][price]=price_1&expand[]=customer` becomes nested lists and objects of strings. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
type Node = string | { [name: string]: Node };

export function parseForm(text: string): { [name: string]: FormValue } {
  const root: { [name: string]: Node } = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = name.split("[").map((part) => part.replace(/\]$/, ""));
    let place = root;
    parts.forEach((part, index) => {
      const key = part === "" ? String(Object.keys(place).length) : part;
      if (index === parts.length - 1) place[key] = value;
      else place = (place[key] ??= {}) as { [name: string]: Node };
    });
  }
  return settle(root) as { [name: string]: FormValue };
}

function settle(node: Node): FormValue {
  if (typeof node === "string") return node;
  const names = Object.keys(node);
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return names.map((name) => settle(node[name]!));
  return Object.fromEntries(names.map((name) => [name, settle(node[name]!)]));
}
