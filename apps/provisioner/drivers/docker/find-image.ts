/** Finds images of workspaces: on the host already, or pulled from the operator's registry. */
import { eachWithin } from "#platform/loops/within.ts";
import { workspaceImageLabel } from "../container/image-places.ts";
import { DriverFailure } from "../driver.ts";
import { linesOf } from "./docker-api.ts";
import { inspectContainer, namesOf, unlessMissing, type DockerHost } from "./docker-host.ts";

/** The full name of this image, which is on the host afterwards. Throws DriverFailure `no_image` if it is not available. */
export async function findImage(host: DockerHost, image: string | undefined): Promise<string> {
  const name = host.imageName(image);
  if (await unlessMissing(host.docker.bytes({ path: `/images/${name}/json` }))) return name;
  try {
    // A digest itself contains a colon.
    const cut = name.includes("@") ? name.indexOf("@") : name.lastIndexOf(":");
    const query = { fromImage: name.slice(0, cut), tag: name.slice(cut + 1) };
    const progress = await host.docker.stream({ method: "POST", path: "/images/create", query });
    // Each layer's progress is a line, and a pull that fails midway has already been answered with 200.
    try {
      for await (const line of eachWithin(host.docker.limits.silenceMs, "a pull's next line", linesOf(progress))) {
        const trouble = /"error":"([^"]*)"/.exec(line)?.[1];
        if (trouble !== undefined) throw new Error(trouble);
      }
    } finally {
      progress.destroy();
    }
  } catch (error) {
    throw new DriverFailure("no_image", `the image ${name} is not on this host and could not be pulled: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return name;
}

/** An image with which this workspace's files can be read and written: its own, or any other workspace image. */
export async function findHelperImage(host: DockerHost, workspaceId: string): Promise<string> {
  const own = await inspectContainer(host, namesOf(workspaceId).container);
  if (own) return own.Image;
  const [any] = await host.docker.call<{ Id: string }[]>({ path: "/images/json", query: { filters: { label: [workspaceImageLabel] } } });
  if (!any) throw new DriverFailure("storage_failed", "there is no workspace image on this host yet");
  return any.Id;
}
