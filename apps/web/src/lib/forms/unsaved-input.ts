/** Who has input that was not saved yet, for what would lose it without leaving the page first: signing out. */

/** Asks the user; resolves with whether the input may be lost. */
type Ask = () => Promise<boolean>;

const holders = new Set<Ask>();

/** Has `ask` called before input is lost; the returned function ends that. */
export function holdInput(ask: Ask): () => void {
  holders.add(ask);
  return () => void holders.delete(ask);
}

/** Whether unsaved input may be lost, if there is any. */
export async function mayLoseInput(): Promise<boolean> {
  for (const ask of holders) if (!(await ask())) return false;
  return true;
}
