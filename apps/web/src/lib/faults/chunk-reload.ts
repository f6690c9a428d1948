/** After a release the old chunks are gone: a page opened before it must reload to continue. */
import { wordsReady } from "../../words/spoken.ts";
import { sessionValues, type StoredValues } from "../browser/stored-value.ts";

/** At most once a minute, so that a chunk that is really missing leads to the error page and not to a loop. */
const reloadPauseMs = 60_000;
/** A slow phone has an answer by then; a proxy that holds the request has not. */
const answerMs = 15_000;
const reloadedAtKey = "slipway.reloaded-at";

const chunkErrorText = /dynamically imported module|importing a module script failed|unable to preload css|error loading dynamically/i;

/** Whether an error means that a part of the panel could not be fetched. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && chunkErrorText.test(error.message);

/** Reloads and returns true, unless that happened less than a minute ago or cannot be remembered. */
export function reloadOnce(values: StoredValues, nowMs: number, reload: () => void): boolean {
  const reloadedAtMs = Number(values.read(reloadedAtKey) ?? Number.NaN);
  if (Math.abs(nowMs - reloadedAtMs) < reloadPauseMs) return false;
  if (!values.write(reloadedAtKey, String(nowMs))) return false;
  reload();
  return true;
}

/**
 * Loads a chunk and the words in it, or fails; while the browser reloads for a missing one, which `mayReload` can forbid, nothing else
 * happens on the old page. Parts that the open page can wait for are loaded by load-page.ts.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>, mayReload: () => Promise<boolean>): Promise<Chunk> {
  try {
    const chunk = await load();
    await wordsReady();
    return chunk;
  } catch (error) {
    if (isChunkError(error) && (await mayReload()) && reloadOnce(sessionValues, Date.now(), () => location.reload()))
      return new Promise(() => {});
    throw error;
  }
}

/**
 * After a release the old chunk is gone and a reload helps; without a network, or while a proxy answers for a service that restarts, a
 * reload would lose the page as well. A file is requested, not a page: with a page's headers the browser would fetch the user ahead, and
 * answer a later call from then, such as after signing in.
 */
export const isServiceThere = (): Promise<boolean> =>
  (asked ??= fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(answerMs) })
    .then(
      ({ ok }) => ok,
      () => false,
    )
    .finally(() => (asked = undefined)));

/** One question for all who ask at the same time. */
let asked: Promise<boolean> | undefined;
