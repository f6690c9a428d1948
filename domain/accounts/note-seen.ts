/**
 * Writes down that sessions are used, without making the requests wait for it. What is not written because the
 * process was killed is written by the session's next request.
 */

/** What is asked for while a write is under way goes into the next, so that a slow database has one of them to do and not hundreds. */
export function createSeenNotes(
  write: (tokenHashes: string[]) => Promise<void>,
  onError: (error: unknown) => void,
): (tokenHashes: readonly string[]) => void {
  const waiting = new Set<string>();
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.size > 0) {
      const tokenHashes = [...waiting];
      waiting.clear();
      await write(tokenHashes).catch(onError);
    }
    isWriting = false;
  };

  return (tokenHashes) => {
    for (const tokenHash of tokenHashes) waiting.add(tokenHash);
    if (!isWriting) void writeAll();
  };
}
