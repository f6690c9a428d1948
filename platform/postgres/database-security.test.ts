import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selfSigned } from "#testing/network/self-signed.ts";
import { databaseWeakness } from "./database-security.ts";

const { key, cert } = selfSigned("localhost");
let folder: string;
let authority: string;
let port: number;
/** For each connection: the first byte that the client sent after trusting the server, or nothing. */
const heard: Buffer[] = [];
const sockets = new Set<Socket>();
/** As PostgreSQL begins with TLS: an SSLRequest, one byte "S", the handshake, the start-up message. The rest is refused. */
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.once("data", (request) => {
    if (request.readInt32BE(4) !== 80_877_103) return void (heard.push(request), socket.destroy());
    socket.write("S");
    const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext({ key, cert }) });
    secure.on("error", () => undefined);
    secure.once("data", (startUp: Buffer) => (heard.push(startUp), secure.destroy()));
  });
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-test-tls-"));
  authority = join(folder, "ca.pem");
  writeFileSync(authority, cert);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

/** What the driver does with these parameters: its error code, and whether the server received the user name. */
async function fare(host: string, query: string): Promise<{ code: string | undefined; toldTheServer: boolean }> {
  heard.length = 0;
  const client = new Client({ connectionString: `postgres://slipway:hunter2@${host}:${port}/slipway?${query.replace("{ca}", authority)}` });
  client.on("error", () => undefined);
  const error = await client.connect().then(
    () => undefined,
    (failure: NodeJS.ErrnoException) => failure,
  );
  await client.end().catch(() => undefined);
  return { code: error?.code, toldTheServer: heard.some((message) => message.includes("slipway")) };
}

test.each(["sslmode=verify-full", "sslmode=require", "sslmode=verify-ca", "sslmode=prefer", "ssl=true", "sslnegotiation=postgres&ssl=1"])(
  "%s: the driver rejects a server without a trusted certificate",
  async (query) => {
    expect(await fare("localhost", query)).toEqual({ code: "DEPTH_ZERO_SELF_SIGNED_CERT", toldTheServer: false });
    expect(databaseWeakness(`postgres://u:p@db.example.com/x?${query}`)).toBeNull();
  },
);

test("with the authority's certificate it trusts the server's name, and no other name", async () => {
  expect(await fare("localhost", "sslmode=verify-full&sslrootcert={ca}")).toMatchObject({ toldTheServer: true });
  expect(await fare("127.0.0.1", "sslmode=verify-full&sslrootcert={ca}")).toEqual({
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
    toldTheServer: false,
  });
});

test.each([
  "",
  "sslmode=disable",
  "sslmode=no-verify",
  "ssl=no-verify",
  "sslmode=require&uselibpqcompat=true",
  "sslmode=verify-ca&uselibpqcompat=true&sslrootcert={ca}",
  "ssl=0",
  "sslmode=verify-full&host=db.example.com&sslmode=disable",
])("?%s is called weak: the driver would reveal the user name to any server", async (query) => {
  expect(databaseWeakness(`postgres://u:p@db.example.com/x?${query.replace("{ca}", authority)}`)).toMatch(/^is on another machine/);
  if (!query.includes("host=")) expect((await fare("localhost", query)).toldTheServer).toBe(true);
});

test.each([
  "127.0.0.1",
  "127.8.9.1",
  "[::1]",
  "localhost",
  "localhost:5433",
  "%2Fvar%2Frun%2Fpostgresql",
  "db.example.com/x?host=/var/run/postgresql&",
])("a server on this machine may be unencrypted: %s", (host) => {
  expect(databaseWeakness(`postgres://u:p@${host.includes("/x") ? host : `${host}/x`}`)).toBeNull();
});

test.each([
  "10.0.0.7",
  "127.0.0.1.example.com",
  "localhost.example.com",
  "128.0.0.1",
  "[::2]",
  "0.0.0.0",
  "127.0.0.1/x?host=db.example.com&",
])("a server that is or could be elsewhere may not: %s", (host) => {
  expect(databaseWeakness(`postgres://u:p@${host.includes("/x") ? host : `${host}/x`}`)).toBe(
    "is on another machine and is reached without TLS",
  );
});

test("a missing authority file is an error, not a connection without it", () => {
  expect(() => databaseWeakness("postgres://u:p@db/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem")).toThrow("ENOENT");
});
