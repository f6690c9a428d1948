import { DriverFailure, type RunSpec } from "./driver.ts";

/** The values for templates: where the workspace keeps its data, where it listens, and on which ports. */
interface Place {
  folder: string;
  /** The only address at which it is reached, and on which it must listen. */
  address: string;
  ports: Readonly<Record<string, number>>;
  /** The number of the file descriptor for `{{ready}}`; none if it is not read. */
  ready?: number;
}

/** A spec's command, environment and files as the process gets them. */
export type FilledSpec = Pick<RunSpec, "command" | "env" | "files">;

/**
 * Replaces `{{folder}}`, `{{address}}`, `{{ready}}` and `{{port.NAME}}` in command, environment and files. Other text in double braces
 * belongs to the tool and stays. Throws DriverFailure for a port that the spec does not list.
 */
export function fillTemplates(spec: FilledSpec, place: Place): FilledSpec {
  const fill = (text: string): string =>
    text.replaceAll(
      /\{\{(?:(folder|address|ready)|port\.([A-Za-z0-9_-]+))\}\}/g,
      (_all, own: "folder" | "address" | "ready" | undefined, name: string) =>
        String(own === undefined ? portOf(place, name) : (place[own] ?? "")),
    );
  return {
    command: spec.command.map(fill),
    env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)])),
    files: spec.files.map((file) => ({ ...file, content: fill(file.content) })),
  };
}

/** Whether the workspace can report that it is ready. */
export const usesReady = ({ command, env, files }: RunSpec): boolean =>
  [...command, ...Object.values(env), ...files.map(({ content }) => content)].some((text) => text.includes("{{ready}}"));

function portOf(place: Place, name: string): number {
  const port = Object.hasOwn(place.ports, name) ? place.ports[name] : undefined;
  if (port === undefined) throw new DriverFailure("start_failed", `a template names the port "${name}", which the spec does not list`);
  return port;
}
