/** Checks the files for one server against the program, and tests the Caddy configuration with Debian's Caddy. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { loadYaml } from "@kubernetes/client-node";
import { expect, onTestFinished, test } from "vitest";
import { answerAsks } from "#apps/program/certificates/answer-asks.ts";
import { readConfig } from "#apps/program/settings/config.ts";
import { createLog } from "#platform/log.ts";
import { findDebianProgram, hasDebianPrograms } from "#testing/debian-program.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";

const here = (file: string): Promise<string> => readFile(join(import.meta.dirname, file), "utf8");
const compose = await here("compose.yaml");
const caddyfile = await here("Caddyfile");

interface Service {
  image: string;
  environment: Record<string, string>;
  ports?: string[];
  volumes: string[];
  healthcheck?: { test: unknown[] };
}
const { services, volumes } = loadYaml<{ services: Record<string, Service>; volumes: Record<string, null> }>(compose);

/** The example as an operator fills it in. */
async function filledIn(): Promise<Record<string, string>> {
  const lines = (await here("env.example")).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const given = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  return {
    ...given,
    DOCKER_GROUP: "998",
    POSTGRES_PASSWORD: "a".repeat(64),
    SECRET_KEY: "b".repeat(64),
    STRIPE_SECRET_KEY: "sk_live_made_up",
    STRIPE_WEBHOOK_SECRET: "whsec_made_up",
    SELLER_NAME: "Example Ltd",
    SELLER_ADDRESS: "1 Example Street|10115 Berlin",
    SELLER_COUNTRY: "DE",
  };
}
/** As Compose fills in `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
const fill = (text: string, env: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind?: string, rest = "") => {
    if (env[name]) return env[name];
    if (kind !== "-") throw new Error(`${name} ${rest}`);
    return rest;
  });

test("production starts from the example once it is filled in, with what the files of the other programs assume", async () => {
  const env = await filledIn();
  const folder = await mkdtemp(join(tmpdir(), "slipway-one-server-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = Object.entries(services["slipway"]!.environment).map(([name, value]) => [name, fill(value, env)]);
  const config = readConfig({ ...env, ...Object.fromEntries(settings), DATA_DIR: folder });
  expect(config).toMatchObject({ production: true, driver: "docker", hosts: ["127.0.0.1"], trustedProxyHops: 1 });
  expect(caddyfile).toContain(`reverse_proxy ${config.hosts[0]}:${config.port} {`);
  expect(caddyfile).toContain(`ask http://${config.certificates!.host}:${config.certificates!.port}/ask\n`);
  expect(new URL(config.smtpUrl!).port).toBe(services["relay"]!.ports![0]!.split(":")[1]);
  expect(new URL(config.databaseUrl!).port).toBe(services["postgres"]!.ports![0]!.split(":")[1]);
});

test("every variable that the services need is in the example, and each without a default is required", async () => {
  const example = await filledIn();
  const named = [...compose.matchAll(/\$\{(\w+):?([-?])?/g)].map(([, name, kind]) => ({ name: name!, kind }));
  expect(named.filter(({ name, kind }) => kind === "?" && !(name in example))).toEqual([]);
  expect(() => fill(compose, { ...example, DOCKER_GROUP: "" })).toThrow("DOCKER_GROUP is not set in .env");
});

test("each command is a list of texts, which YAML would read differently if a colon were not quoted", () => {
  const commands = Object.values(services).flatMap(({ healthcheck }) => healthcheck?.test ?? []);
  expect(commands.filter((each) => typeof each !== "string")).toEqual([]);
});

test("only Caddy is reached from outside, and what must outlive a container is kept", () => {
  for (const { ports = [] } of Object.values(services)) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  const named = Object.values(services).flatMap((service) => service.volumes.map((volume) => volume.split(":")[0]!));
  expect(named.filter((name) => !/^[./]/.test(name)).toSorted()).toEqual(Object.keys(volumes).toSorted());
});

/** Whether a handshake with this name is answered with a certificate for it. */
const handshake = (port: number, servername: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subjectaltname ?? "none");
      socket.destroy();
    }).on("error", () => resolve("refused"));
  });

test.runIf(hasDebianPrograms)(
  "Caddy gets a certificate for the hosts of the service and for no other, and passes visitors on",
  async () => {
    const caddy = await findDebianProgram("caddy", "usr/bin/caddy");
    const folder = await mkdtemp(join(tmpdir(), "slipway-caddy-"));
    const asked: string[] = [];
    const listen = async (listener: Parameters<typeof createServer>[1]): Promise<number> => {
      const server = createServer(listener!).listen(0, "127.0.0.1");
      onTestFinished(() => void server.close());
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    };
    const answer = answerAsks({
      panelHost: "app.example.com",
      hasWorkspace: async (name) => name === "acme",
      isWithinBound: async () => true,
      refused: () => undefined,
      log: createLog("silent"),
    });
    const askPort = await listen((req, res) => (asked.push(req.url!), answer(req, res)));
    const slipwayPort = await listen((req, res) => {
      const { host, "x-forwarded-for": visitor, "x-forwarded-proto": scheme } = req.headers;
      res.end(JSON.stringify({ host, visitor, scheme }));
    });
    const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
    // Its own authority in place of a public one, and ports that are free here.
    const own = `{\n\tlocal_certs\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n`;
    const adapted = caddyfile
      .replace(/^\{\n/m, own)
      // Without HTTP/3: its UDP port of the same number is how `findFreePort` keeps other tests away.
      .replace("\tservers {\n", "\tservers {\n\t\tprotocols h1 h2\n")
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${slipwayPort}`)
      .replaceAll("127.0.0.1:3001", `127.0.0.1:${askPort}`);
    await writeFile(join(folder, "Caddyfile"), adapted);
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      ACME_EMAIL: "operator@example.com",
    };
    const running = spawn(caddy, ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    running.stderr.on("data", (text: Buffer) => (said = (said + text.toString()).slice(-4_000)));
    onTestFinished(async () => {
      running.kill("SIGKILL");
      await once(running, "close");
      await rm(folder, { recursive: true, force: true });
    });

    await expect.poll(() => handshake(httpsPort, "app.example.com"), { timeout: 30_000, message: said }).toBe("DNS:app.example.com");
    expect(await handshake(httpsPort, "acme.app.example.com")).toBe("DNS:acme.app.example.com");
    for (const name of ["other.app.example.com", "app.example.com.evil.com", "evil.com", "a.acme.app.example.com"])
      expect(await handshake(httpsPort, name)).toBe("refused");
    expect(asked).toContain("/ask?domain=evil.com");

    const headers = { host: "acme.app.example.com", "x-forwarded-for": "203.0.113.7" };
    const passed = await visit(httpsPort, headers);
    // A visitor cannot say who they are.
    expect(JSON.parse(passed)).toEqual({ host: "acme.app.example.com", visitor: "127.0.0.1", scheme: "https" });
  },
);

/** One request over TLS; returns the body. */
function visit(port: number, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: headers["host"]!,
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET / HTTP/1.1\r\n${lines.join("")}connection: close\r\n\r\n`);
    socket
      .setEncoding("utf8")
      .toArray()
      .then((pieces) => resolve(pieces.join("").split("\r\n\r\n").slice(1).join("\r\n\r\n")), reject);
  });
}
