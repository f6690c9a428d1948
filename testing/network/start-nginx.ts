/** A real nginx as the load balancer before several processes of the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findDebianProgram } from "../debian-program.ts";

export interface TestNginx extends AsyncDisposable {
  /** From now on it sends requests to these ports, and finishes those that are on their way elsewhere. */
  sendTo(ports: readonly number[]): Promise<void>;
}

/** Listens on 127.0.0.1. Like any load balancer it keeps connections, and asks the next process if one refuses the connection. */
export async function startNginx(port: number, ports: readonly number[]): Promise<TestNginx> {
  const nginx = await findDebianProgram("nginx", "usr/sbin/nginx");
  const folder = await mkdtemp(join(tmpdir(), "slipway-nginx-"));
  const file = join(folder, "nginx.conf");
  await writeFile(file, config(folder, port, ports));
  const child = spawn(nginx, ["-p", folder, "-c", file, "-e", join(folder, "error.log"), "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    async sendTo(next) {
      await writeFile(file, config(folder, port, next));
      child.kill("SIGHUP");
      // nginx does not say when its new processes serve.
      await delay(1000);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const config = (folder: string, port: number, ports: readonly number[]): string => `
user root;
worker_processes 1;
worker_shutdown_timeout 20s;
pid ${folder}/pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream slipway { ${ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(" ")} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://slipway;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`;
