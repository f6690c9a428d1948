import { DriverFailure, type RunSpec } from "./driver.ts";

/** The values for templates: where the workspace keeps its data, where it listens, and on which ports. */
export interface Place {
  folder: string;
  /** The only address it is reached at and has to listen on. */
  address: string;
  ports: Readonly<Record<string, number>>;
}

/** A spec's command, environment and files as the process gets them. */
export type FilledSpec = Pick<RunSpec, "command" | "env" | "files">;

/**
 * Replaces `{{folder}}`, `{{address}}` and `{{port.NAME}}` in command, environment and files. Other text in double braces belongs to the
 * tool and stays. Throws DriverFailure for a port that the spec does not list.
 */
export function fillTemplates(spec: RunSpec, place: Place): FilledSpec {
  const fill = (text: string): string =>
    text.replaceAll(/\{\{(?:(folder|address)|port\.([A-Za-z0-9_-]+))\}\}/g, (_all, own: "folder" | "address" | undefined, name: string) =>
      own === undefined ? String(portOf(place, name)) : place[own],
    );
  return {
    command: spec.command.map(fill),
    env: Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, fill(value)])),
    files: spec.files.map((file) => ({ ...file, content: fill(file.content) })),
  };
}

function portOf(place: Place, name: string): number {
  const port = Object.hasOwn(place.ports, name) ? place.ports[name] : undefined;
  if (port === undefined) throw new DriverFailure("start_failed", `a template names the port "${name}", which the spec does not list`);
  return port;
}
