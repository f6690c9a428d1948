import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Answers, and is then busy where it handles files, for longer than Node keeps an idle connection: so are n8n's and Node-RED's own work. */
const server = (keep: string) => `
  import { readFile } from "node:fs";
  import { createServer } from "node:http";
  import { keepConnections } from ${JSON.stringify(keep)};
  keepConnections();
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end("ok"));
    if (request.url !== "/busy") return;
    response.once("close", () => readFile(import.meta.filename, () => {
      process.send("busy");
      for (const until = performance.now() + 7_000; performance.now() < until; );
    }));
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
`;

test("a call on a connection kept open is answered, also if the process was busy for longer than Node keeps one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-keep-"));
  const file = join(folder, "server.mts");
  writeFileSync(file, server(new URL("keep-connections.mts", import.meta.url).href));
  const child = fork(file);
  onTestFinished(async () => {
    child.kill();
    await rm(folder, { recursive: true });
  });
  const [port] = (await once(child, "message")) as [number];
  const socket = connect(port, "127.0.0.1");
  const answers: string[] = [];
  const over = new Promise<string>((resolve) => {
    socket.on("error", ({ message }) => resolve(message)).on("close", () => resolve("closed"));
    socket.on("data", (chunk: Buffer) => {
      answers.push(chunk.toString().slice(0, 15));
      if (answers.length === 2) resolve("answered");
    });
  });
  const busy = once(child, "message");
  socket.write("GET /busy HTTP/1.1\r\nhost: a\r\n\r\n");
  await busy;
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nhi");
  expect([await over, answers]).toEqual(["answered", ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"]]);
  socket.destroy();
});
