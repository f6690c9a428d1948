/**
 * Runs as a workspace in tests about the control plane instead of n8n: a real process that starts in a fraction of a second and meets n8n's
 * interface to the control plane. start-slipway.ts installs it in n8n's place.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

const { N8N_PORT, N8N_LISTEN_ADDRESS, N8N_USER_FOLDER, SLIPWAY_READY } = process.env;
/** Long enough for a test to act in the middle of it. */
const bootMs = 300;

const ownerFile = join(N8N_USER_FOLDER, "owner");
/** Identifies this process, even from outside its sandbox: its start, in ticks since the host's. */
const instance = Number(readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ")[19]);
appendFileSync(join(N8N_USER_FOLDER, "boots"), `${instance}\n`);
console.log("stand-in engine boots");
await delay(bootMs);

const membersFile = join(N8N_USER_FOLDER, "members.json");
const nodesFile = join(N8N_USER_FOLDER, "community-nodes.json");
const readMembers = () => (existsSync(membersFile) ? JSON.parse(readFileSync(membersFile, "utf8")) : []);
const writeMembers = (members) => writeFileSync(membersFile, JSON.stringify(members));

/** Answers about users as n8n's hook does; opening an invitation's link means joining. */
async function answerAboutMembers(req, body) {
  const { pathname, searchParams } = new URL(req.url, "http://localhost");
  const members = readMembers();
  const { email } = pathname.startsWith("/_slipway/invitations") ? JSON.parse(body) : {};
  const known = members.find((member) => member.email === email);
  if (pathname === "/_slipway/users") return { members };
  if (pathname === "/_slipway/community-nodes")
    return { isOffered: true, nodes: existsSync(nodesFile) ? JSON.parse(readFileSync(nodesFile, "utf8")) : [] };
  if (pathname === "/_slipway/invitations") {
    const member = known ?? { id: `member-${members.length + 1}`, email, joined: false };
    if (!known) writeMembers([...members, member]);
    // Long enough to kill the control plane before it gets the answer.
    if (email.startsWith("slow")) await delay(2_000);
    return { memberId: member.id, acceptPath: member.joined ? null : `/signup?token=${member.id}` };
  }
  if (pathname === "/_slipway/invitations/revoke") {
    if (!known?.joined) writeMembers(members.filter((member) => member !== known));
    return { revoked: !known?.joined };
  }
  if (pathname !== "/signup") return undefined;
  writeMembers(
    members.map((member) =>
      member.id === searchParams.get("token") ? { ...member, joined: true, lastActiveOn: new Date().toISOString().slice(0, 10) } : member,
    ),
  );
  return { joined: true };
}

const databaseFile = join(N8N_USER_FOLDER, ".n8n", "database.sqlite");
mkdirSync(join(N8N_USER_FOLDER, ".n8n"), { recursive: true });
const database = new DatabaseSync(databaseFile);
database.exec(
  `create table if not exists workflow_entity (name text); create table if not exists credentials_entity (name text); create table if not exists execution_entity (id integer)`,
);
const listWorkflows = () =>
  database
    .prepare("select name from workflow_entity order by name")
    .all()
    .map(({ name }) => name);

/** Answers about copies of its database and exports as n8n's hook does; `/workflows` is what a person does in the editor. */
function answerAboutStorage(req, body) {
  const { pathname, searchParams } = new URL(req.url, "http://localhost");
  if (pathname === "/workflows") {
    if (searchParams.has("add")) database.prepare("insert into workflow_entity values (?)").run(searchParams.get("add"));
    if (searchParams.has("damage")) database.exec("delete from workflow_entity");
    return JSON.stringify({ workflows: listWorkflows() });
  }
  if (pathname === "/_slipway/snapshot") {
    const place = join(N8N_USER_FOLDER, "tmp", "snapshots", JSON.parse(body).name);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    database.prepare("vacuum into ?").run(join(place, "database.sqlite"));
    return "{}";
  }
  if (pathname === "/_slipway/snapshot/remove") {
    rmSync(join(N8N_USER_FOLDER, "tmp", "snapshots"), { recursive: true, force: true });
    return "{}";
  }
  if (pathname !== "/_slipway/export") return undefined;
  const lines = listWorkflows().map((name, index) => ({ workflow: { id: `w${index}`, name, nodes: [] } }));
  return [...lines, { end: true }].map((line) => JSON.stringify(line)).join("\n");
}

const lettersFile = join(N8N_USER_FOLDER, "letters.txt");
const readLetters = () => (existsSync(lettersFile) ? readFileSync(lettersFile, "utf8") : "");

/** Sleeps as n8n does when only webhooks may call it. Each letter is kept before it is answered, and counts as one execution. */
function answerAboutLetters(req, body) {
  const { pathname } = new URL(req.url, "http://localhost");
  if (pathname === "/_slipway/sleep") return JSON.stringify({ sleepable: true, due: null });
  if (pathname === "/letters" && req.method === "GET") return readLetters();
  if (pathname === "/letters") {
    appendFileSync(lettersFile, `${body}\n`);
    return "{}";
  }
  if (pathname !== "/_slipway/usage" || !existsSync(lettersFile)) return undefined;
  const executions = readLetters().trim().split("\n").length;
  const { birthtime } = statSync(lettersFile);
  const counter = {
    epoch: `letters-${birthtime.getTime()}`,
    period: "",
    date: birthtime.toISOString().slice(0, 10),
    executions,
    failed: 0,
  };
  return JSON.stringify({ plan: null, executions, activeWorkflows: 0, counters: [counter] });
}

async function answer(req, res) {
  let body = "";
  for await (const chunk of req) body += chunk;
  const { pathname } = new URL(req.url, "http://localhost");
  if (pathname.startsWith("/healthz")) return res.end("ok");
  if (pathname === "/_slipway/owner") {
    if (!existsSync(ownerFile)) writeFileSync(ownerFile, body);
    return res.end("{}");
  }
  res.setHeader("content-type", "application/json");
  const stored = answerAboutLetters(req, body) ?? answerAboutStorage(req, body);
  if (stored !== undefined) return res.end(stored);
  const answered = await answerAboutMembers(req, body);
  if (answered) return res.end(JSON.stringify(answered));
  res.end(JSON.stringify({ instance, method: req.method, path: req.url, body, hasOwner: existsSync(ownerFile) }));
}

createServer((req, res) => void answer(req, res)).listen(Number(N8N_PORT), N8N_LISTEN_ADDRESS, () => {
  if (SLIPWAY_READY) writeSync(Number(SLIPWAY_READY), "\n");
});
process.on("SIGTERM", () => process.exit(0));
