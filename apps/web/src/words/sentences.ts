/** Translates the service's stored sentences about workspaces and money into the reader's language. */
import { partOf } from "./words-of.ts";

const asWritten = (sentence: string): string => sentence;

const spoken = partOf("sentences", asWritten, { de: () => import("./sentences.de.ts") });

/** A sentence of the service in the reader's language. An unknown one, such as from a workspace or a provider, stays as it is written. */
export const said = (sentence: string): string => spoken()(sentence);
