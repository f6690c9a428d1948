/** Compares the two ways to make Slipway's image. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverEnvironment, serverFlags } from "../process/server-flags.mjs";
import { debianPackages } from "./debian-root.ts";
import { dataFolder, programConfig, programFolder, programUser } from "./program-places.ts";

const root = join(import.meta.dirname, "../..");
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll(/\\\n\s*/g, "");
/** The lines of each stage; the last stage is the image. */
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
const image = stages.at(-1)!;
const valueOf = (instruction: string): string => new RegExp(`^${instruction} (.+)$`, "m").exec(image)![1]!;

test("the Dockerfile runs the same program as the image without a builder: entry point, user, folder, environment, port and labels", () => {
  expect(JSON.parse(valueOf("ENTRYPOINT"))).toEqual(programConfig.Entrypoint);
  expect(JSON.parse(valueOf("CMD"))).toEqual(programConfig.Cmd);
  expect(valueOf("USER")).toBe(programConfig.User);
  expect(valueOf("WORKDIR")).toBe(programConfig.WorkingDir);
  expect(valueOf("ENV").split(/\s+/).toSorted()).toEqual(programConfig.Env.toSorted());
  expect({ [`${valueOf("EXPOSE")}/tcp`]: {} }).toEqual(programConfig.ExposedPorts);
  const labels = Object.entries(programConfig.Labels).map(([name, value]) => `${name}=${value}`);
  expect(valueOf("LABEL").split(/\s+/)).toEqual(labels);
});

test("it takes all collected files and nothing else, and its data folder belongs to its user", () => {
  const copies = [...image.matchAll(/^COPY --from=build (.+)$/gm)].map(([, what]) => what);
  expect(copies).toEqual(["/out/usr /usr", "/out/etc /etc", "/out/opt /opt", `--chown=${programUser}:${programUser} /data ${dataFolder}`]);
  expect(stages[1]).toContain("node tools/image/main.ts files /out ");
});

test("what it installs is in the other image as well", () => {
  const installed = /--no-install-recommends (.+?) && /.exec(stages[0]!)![1]!.split(/\s+/);
  expect(installed).toContain("tini");
  expect(debianPackages).toEqual(expect.arrayContaining(installed));
});

test("the program starts with the options and the environment of npm start", () => {
  const [tini, dashes, node, ...flags] = programConfig.Entrypoint;
  expect([tini, dashes, node]).toEqual(["/usr/bin/tini", "--", "/usr/local/bin/node"]);
  const inImage = (flag: string) => flag.replace(/file:.+(?=\/tools\/)/, `file://${programFolder}`);
  expect(flags).toEqual(serverFlags.map(inImage));
  expect(programConfig.Env).toEqual(expect.arrayContaining(Object.entries(serverEnvironment).map(([name, value]) => `${name}=${value}`)));
});

test("the settings of a server in this folder are not given to the builder, nor committed", () => {
  const [ignoredByBuilder, ignoredByGit] = [".dockerignore", ".gitignore"].map((file) =>
    readFileSync(join(root, file), "utf8").split("\n"),
  );
  expect(ignoredByBuilder).toContain("**/.env");
  expect(ignoredByGit).toContain(".env");
});
