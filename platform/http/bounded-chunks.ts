/** Yields a body piece by piece; throws `tooMuch()`, which ends the connection, once it is longer than `mostBytes`. */
export async function* boundedChunks(
  body: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
  tooMuch: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw tooMuch();
    yield chunk;
  }
}

/** The whole body; throws as `boundedChunks` does. */
export async function boundedBody(body: AsyncIterable<Uint8Array> | null, mostBytes: number, tooMuch: () => Error): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedChunks(body, mostBytes, tooMuch)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
