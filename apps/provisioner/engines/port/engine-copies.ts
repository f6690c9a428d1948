/** How an engine copies what people made in a tool: for backups, and as exports in the tool's own format. */
import type { Language } from "#contract/accounts/language.ts";

/**
 * Which files of a workspace a backup contains, and how they are copied while the tool writes. All paths are below the workspace's folder.
 */
export interface EngineBackups {
  /** Files and folders that a restore replaces. The tool's counts for the control plane are not among them. */
  readonly contents: readonly string[];
  /** Those of `contents` that are never copied: a restore deletes them, and the tool recreates them. */
  readonly remade: readonly string[];
  /**
   * Makes the running tool write a consistent copy while it keeps running. Returns where the copy of each content is; null for contents
   * that must not be copied along. Contents that are not named are read directly. May be repeated; `name` consists of letters, digits and
   * dashes.
   */
  freeze(address: string, workspaceId: string, name: string): Promise<ReadonlyMap<string, string | null>>;
  /** Deletes the copies. */
  thaw(address: string, workspaceId: string, name: string): Promise<void>;
  /** Those of `contents` that must be inspected before a backup counts as one. */
  readonly inspected: readonly string[];
  /**
   * Source of a program that inspects a copy, in TypeScript that Node runs without any other package. Its argument is a folder that
   * contains `inspected`. It prints `{"workflows":1,"credentials":2,"executions":3}`, or exits with a code other than 0 and an error. It
   * reads files that a tenant made, so it runs in a separate process with no access beyond that folder.
   */
  readonly inspector: string;
  /**
   * How a copy of a workspace that does not run leaves out what people have deleted; a running tool's own copy (`freeze`) does. `program` is
   * run as `inspector` is, in a folder that contains `from`, and writes the file `written` directly into it, which is stored as `to` instead of
   * them. Absent if the
   * tool's files contain nothing that was deleted.
   */
  readonly rewrite?: { from: readonly string[]; written: string; to: string; program: string };
}

/** A file of an export, as another installation of the tool imports it. */
export interface EngineExportFile {
  kind: "workflow" | "credentials";
  /** Path within the export; letters, digits, dots and dashes, with folders. */
  path: string;
  content: string;
  /** How many items of its kind it contains. */
  count: number;
}

/** What people made, in files of the tool's own format. */
export interface EngineExports {
  /**
   * Reads the export from the running tool. With a key (32 bytes, base64), it includes credentials: the tool itself encrypts them, so that
   * nothing else sees them. Rejects if the tool stops before the end.
   */
  read(address: string, workspaceId: string, credentialsKey: string | null): AsyncIterable<EngineExportFile>;
  /**
   * Files that explain how to import it elsewhere, in the owner's language; `scrypt` says how the key was derived from the passphrase, if
   * there are credentials.
   */
  companions(scrypt: { salt: string; N: number; r: number; p: number } | null, language: Language): { path: string; content: string }[];
}
