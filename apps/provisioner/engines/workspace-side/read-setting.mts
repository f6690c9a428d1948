/** What the engine's run spec says in the environment. Throws if it is missing: the workspace must not start without it. */
export function readSetting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is missing in the environment of this workspace`);
  return value;
}
