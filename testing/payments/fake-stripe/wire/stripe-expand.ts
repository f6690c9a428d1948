/** Stripe's `expand`: a reference to another object is an id unless its expansion is requested. */

class Reference {
  readonly id: string;
  readonly load: () => object;
  constructor(id: string, load: () => object) {
    this.id = id;
    this.load = load;
  }
}

/** Left out unless requested, such as an invoice's payments. */
class Extra {
  readonly load: () => object;
  constructor(load: () => object) {
    this.load = load;
  }
}

/** Typed as what it is without `expand`: an id. */
export const reference = (id: string, load: () => object): string => new Reference(id, load) as unknown as string;
export const referenceOrNull = (id: string | null, load: (id: string) => object): string | null =>
  id === null ? null : reference(id, () => load(id));
export const extra = <Thing extends object>(load: () => Thing): Thing => new Extra(load) as unknown as Thing;

/** The object as it is sent, with the `expand` paths. */
export const render = (value: unknown, paths: readonly string[] = []): unknown =>
  renderAt(
    value,
    paths.map((path) => path.split(".")),
  );

function renderAt(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (value instanceof Reference) return paths.length > 0 ? renderAt(value.load(), paths) : value.id;
  if (value instanceof Extra) return paths.length > 0 ? renderAt(value.load(), paths) : undefined;
  if (Array.isArray(value)) return value.map((each: unknown) => renderAt(each, paths));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      const below = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      return [name, renderAt(member, below)];
    }),
  );
}
