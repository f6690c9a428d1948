/** Reads a stream of server-sent events, event by event. */
export async function openEvents<Data>(url: string, token: string) {
  const stop = new AbortController();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  /** The next event; null at the end of the stream. */
  const next = async (): Promise<{ event: string; data: Data } | null> => {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end >= 0) {
        const [event, data] = buffer.slice(0, end).split("\n");
        buffer = buffer.slice(end + 2);
        if (event?.startsWith("event: ")) return { event: event.slice(7), data: JSON.parse(data!.slice(6)) };
        continue;
      }
      const chunk = await reader.read();
      if (chunk.done) return null;
      buffer += chunk.value;
    }
  };
  return { answer, next, stop: () => stop.abort() };
}
