/** Loads the parts of the panel that are fetched when they are needed: pages, dialogs, menus, sections. */
import { ApiError } from "../api/api-error.ts";
import { signInErrorWords } from "../errors/sign-in-errors.ts";
import { isPainted } from "../first-view/first-paint.ts";
import { isFetched } from "../first-view/when-idle.ts";
import { notices, notify } from "../notices/notices.ts";
import { isChunkError, isServiceThere, loadChunk } from "./chunk-reload.ts";

/** Soon enough to continue when the service is back, seldom enough for a service that many pages wait for. */
const askAgainMs = 5_000;

/**
 * Loads a chunk and the words in it. Without the service, the open page stays as it is and says why; once the service answers again, it
 * continues with what was requested. The service is asked first, because a browser that failed to fetch a chunk never fetches it again for
 * the same page. A page that shows nothing yet has nothing to keep.
 */
export async function loadPage<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  if (isPainted() && !isFetched(load)) await serviceIsThere();
  try {
    return await loadChunk(load, isServiceThere);
  } catch (error) {
    if (!isChunkError(error) || (await isServiceThere())) throw error;
    throw new ApiError("unreachable", 0, undefined, { cause: error });
  }
}

async function serviceIsThere(): Promise<void> {
  if (await isServiceThere()) return;
  const { sentence, next } = signInErrorWords(new ApiError("unreachable", 0));
  const text = `${sentence} ${next}`;
  notify("danger", text);
  await serviceIsBack();
  notices.set(notices.get().filter((notice) => notice.text !== text));
}

let returning: Promise<void> | undefined;

/** One question for everything that waits. */
const serviceIsBack = (): Promise<void> => (returning ??= askUntilBack().finally(() => (returning = undefined)));

async function askUntilBack(): Promise<void> {
  do await pause();
  while (!(await isServiceThere()));
}

/** Ends earlier when the browser has a network again. */
const pause = (): Promise<unknown> =>
  new Promise((resolve) => {
    const end = AbortSignal.timeout(askAgainMs);
    end.onabort = resolve;
    addEventListener("online", resolve, { signal: end });
  });
