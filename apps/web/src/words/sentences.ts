/** What the service says of workspaces and money in its rows, in the reader's language. */
import { partOf } from "./words-of.ts";

const asWritten = (sentence: string): string => sentence;

const spoken = partOf("sentences", asWritten, { de: () => import("./sentences.de.ts") });

/** A sentence of the service as its reader speaks. One that is not known, such as from a workspace or a provider, stays as it is written. */
export const said = (sentence: string): string => spoken()(sentence);
