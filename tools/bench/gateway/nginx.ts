/** nginx in the gateway's place, as one process, tuned as well as we know. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findDebianProgram, hasDebianPrograms } from "#testing/debian-program.ts";

interface Nginx {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts nginx in front of the port; null when it is not installed. */
export async function startNginx(upstreamPort: number): Promise<Nginx | null> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bench-nginx-"));
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  await writeFile(file, config(folder, port, upstreamPort));
  // If Debian's is not available, an installed one is used.
  const nginx = hasDebianPrograms ? await findDebianProgram("nginx", "usr/sbin/nginx").catch(() => "nginx") : "nginx";
  const child = spawn(nginx, ["-p", folder, "-c", file, "-e", join(folder, "error.log"), "-g", "daemon off;"], { stdio: "ignore" });
  const isRunning = await listening(child, port);
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
    }
    await rm(folder, { recursive: true, force: true });
  };
  if (isRunning) return { port, pid: child.pid!, stop };
  await stop();
  return null;
}

function config(folder: string, port: number, upstreamPort: number): string {
  return `
master_process off;
pid ${folder}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000;
  upstream workspace { server 127.0.0.1:${upstreamPort}; keepalive 128; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://workspace;
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
    }
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** True once it accepts connections, false if the program is missing or exits. */
async function listening(child: ChildProcess, port: number): Promise<boolean> {
  const gone = new Promise<"gone">((resolve) => child.once("error", () => resolve("gone")).once("exit", () => resolve("gone")));
  for (let tries = 0; tries < 100; tries += 1) {
    if (await accepts(port)) return true;
    if ((await Promise.race([gone, delay(50)])) === "gone") return false;
  }
  return false;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
