/**
 * Records that sessions are in use, without delaying their requests. If the process is killed before a record is
 * written, the session's next request writes it.
 */

/** Sessions seen during a write go into the next one, so that a slow database gets one write at a time and not hundreds. */
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
