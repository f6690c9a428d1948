/** A real nginx as the load balancer in front of several processes of the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDebianProgram } from "../debian-program.ts";
import { waitFor } from "../wait-for.ts";

/** Where requests go: those to `localhost`, and those to the names below it. */
interface Behind {
  panel: readonly number[];
  workspaces: readonly number[];
}

/** A running nginx whose configuration can be replaced. */
interface RunningNginx extends AsyncDisposable {
  reload(content: string): Promise<void>;
}

interface TestNginx extends AsyncDisposable {
  /** From now on it sends requests to these ports, and finishes those that are on their way elsewhere. */
  sendTo(behind: Behind): Promise<void>;
}

/** Listens on 127.0.0.1. Like any load balancer it keeps connections, and asks the next process if one refuses the connection. */
export async function startNginx(port: number, behind: Behind): Promise<TestNginx> {
  const nginx = await runNginx(serversOf(port, behind));
  return { ...nginx, sendTo: (next) => nginx.reload(serversOf(port, next)) };
}

/** With these blocks inside `http`. */
export async function runNginx(content: string): Promise<RunningNginx> {
  const nginx = await findDebianProgram("nginx", "usr/sbin/nginx");
  const folder = await mkdtemp(join(tmpdir(), "slipway-nginx-"));
  const file = join(folder, "nginx.conf");
  await writeFile(file, config(folder, content));
  const child = spawn(nginx, ["-p", folder, "-c", file, "-e", join(folder, "error.log"), "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    async reload(next) {
      const before = await servingProcesses(child.pid!);
      await writeFile(file, config(folder, next));
      child.kill("SIGHUP");
      await waitFor(
        async () => {
          const now = await servingProcesses(child.pid!);
          if (now.length === 0 || now.some((pid) => before.includes(pid))) throw new Error("nginx still sends requests as before");
        },
        { timeout: 20_000, interval: 20 },
      );
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** nginx does not say when its new processes serve; the titles of the old ones say that they no longer accept connections. */
async function servingProcesses(main: number): Promise<string[]> {
  const pids = (await readFile(`/proc/${main}/task/${main}/children`, "utf8")).split(" ").filter(Boolean);
  const titles = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_pid, index) => titles[index]!.includes("worker process") && !titles[index]!.includes("shutting down"));
}

const upstream = (name: string, ports: readonly number[]): string =>
  `upstream ${name} { ${ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(" ")} keepalive 32; }`;

const server = (port: number, names: string, to: string): string => `
  server {
    listen 127.0.0.1:${port};
    server_name ${names};
    location / {
      proxy_pass http://${to};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }`;

const serversOf = (port: number, behind: Behind): string => `
  ${upstream("panel", behind.panel)}
  ${upstream("workspaces", behind.workspaces)}
  ${server(port, "localhost", "panel")}
  ${server(port, "*.localhost", "workspaces")}`;

const config = (folder: string, content: string): string => `
user root;
worker_processes 1;
worker_shutdown_timeout 20s;
pid ${folder}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  ${content}
}
`;
