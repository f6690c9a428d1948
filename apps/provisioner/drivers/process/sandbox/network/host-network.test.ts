/** Changes that other programs make to a host's network while workspaces run, tested in a separate network namespace. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { leaveDisks } from "#testing/containers/own-mounts.ts";
import { findSandboxTools } from "../sandbox-tools.ts";
import { placeFollowedFile } from "../place-file.ts";

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const isPossible = isRoot && findSandboxTools().tools !== undefined;

/** Runs `steps` in a network that forwards nothing yet; returns what they `say`, in order. */
function inOwnNetwork(steps: string): unknown[] {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-network-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const module = (name: string): string => JSON.stringify(path.join(import.meta.dirname, name));
  const script = `
    import { execFileSync } from "node:child_process";
    import { readFileSync, writeFileSync } from "node:fs";
    const { usualNetworkPolicy } = await import(${module("firewall.ts")});
    const { openHostNetwork } = await import(${module("host-network.ts")});
    const { findSandboxTools } = await import(${module("../sandbox-tools.ts")});
    const { createLog } = await import("#platform/log.ts");
    const { tools } = findSandboxTools();
    const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: "utf8", stdio: "pipe" });
    const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
    const mended = [];
    const log = { ...createLog("silent"), info() {}, error: (entry) => mended.push(...entry.mended) };
    const forwards = (value) => { writeFileSync("/proc/sys/net/ipv4/ip_forward", value); };
    const open = (policy = usualNetworkPolicy) => openHostNetwork(tools, ${JSON.stringify(folder)}, { network: policy, nameServers: ["192.0.2.53"] }, log);
    const hold = (network) => { mended.length = 0; network.hold(); return [...mended]; };
    const state = () => ({ forwarding: readFileSync("/proc/sys/net/ipv4/ip_forward", "utf8").trim(), guarded: run(tools.nft, "list", "ruleset").includes("chain guard"), rules: run(tools.nft, "list", "ruleset").split("\\n").length });
    ${steps}`;
  const root = path.join(import.meta.dirname, "../../../../../..");
  // With a separate /run, where the host records who switched forwarding on.
  const own = ["--net", "--mount", "/bin/sh", "-c", `${leaveDisks}mount -t tmpfs tmpfs /run && exec "$@"`, "sh"];
  const output = execFileSync("unshare", [...own, process.execPath, "--input-type=module-typescript", "-e", script], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

test.runIf(isPossible)(
  "rules that were flushed, emptied, changed or taken away come back whole, with what keeps the host from becoming a router",
  () => {
    const said = inOwnNetwork(`
    forwards("0");
    const network = open();
    const whole = state();
    say(whole);
    say(hold(network));
    for (const harm of [["flush", "ruleset"], ["flush", "table", "inet", "slipway"], ["delete", "chain", "inet", "slipway", "guard"], ["insert", "rule", "inet", "slipway", "forward", "accept"], ["flush", "chain", "inet", "slipway", "out"]]) {
      run(tools.nft, ...harm);
      const found = hold(network);
      say({ found, isWhole: JSON.stringify(state()) === JSON.stringify(whole), again: hold(network) });
    }`);
    expect(said[0]).toMatchObject({ forwarding: "1", guarded: true });
    expect(said[1]).toEqual([]);
    expect(said.slice(2)).toEqual(Array.from({ length: 5 }, () => ({ found: ["rules"], isWhole: true, again: [] })));
  },
);

test.runIf(isPossible)("forwarding that was switched off, and the host's end of workspaces' addresses, come back", () => {
  const said = inOwnNetwork(`
    const network = open();
    run(tools.ip, "link", "set", "lo", "up");
    run(tools.ip, "link", "add", "slwtest", "type", "veth", "peer", "name", "other");
    say(hold(network));
    forwards("0");
    say(hold(network));
    run(tools.ip, "address", "flush", "dev", "lo");
    say(hold(network));
    say(run(tools.ip, "-4", "-o", "address", "show", "dev", "lo").includes("198.18.0.1/32"));
    say(hold(network));`);
  expect(said).toEqual([["address"], ["forwarding"], ["address"], true, []]);
});

test.runIf(isPossible)("the rules of another installation that started later stay, and a host that forwarded before is not closed", () => {
  const said = inOwnNetwork(`
    forwards("1");
    const [first, second] = [open(), open({ ...usualNetworkPolicy, connections: 77 })];
    say([hold(first), hold(second), run(tools.nft, "list", "ruleset").includes("ct count over 77"), state().guarded]);`);
  expect(said).toEqual([[[], [], true, false]]);
});

test.runIf(isPossible)("a host that refused the rules, and forwards for others by the next start, is not closed", () => {
  const said = inOwnNetwork(`
    forwards("0");
    const nft = tools.nft;
    tools.nft = "/bin/false";
    try { open(); } catch (error) { say(error.message.split(":")[0]); }
    say(readFileSync("/proc/sys/net/ipv4/ip_forward", "utf8").trim());
    tools.nft = nft;
    forwards("1");
    open();
    say(state().guarded);`);
  expect(said).toEqual(["nftables refused the rules for workspaces", "0", false]);
});

test("name servers that change arrive in a file that running workspaces hold", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-etc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = placeFollowedFile(folder, "resolv.conf", "nameserver 192.0.2.53\nnameserver 192.0.2.54\n");
  const held = openSync(file, "r");
  placeFollowedFile(folder, "resolv.conf", "nameserver 192.0.2.1\n");
  expect(readFileSync(held, "utf8")).toBe("nameserver 192.0.2.1\n");
  expect(readFileSync(file, "utf8")).toBe("nameserver 192.0.2.1\n");
});
