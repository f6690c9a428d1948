/** The people in a tool, as an engine sees them: its owner, and who else works in it. */
export interface EngineOwner {
  email: string;
  fullName: string;
}

/** A person in the tool other than its owner. */
export interface EngineMember {
  id: string;
  /** Lowercase. */
  email: string;
  /** False while only invited. */
  joined: boolean;
  /** In the tool's own words: "admin" and "member" are known to the panel. */
  role?: string | undefined;
  name?: string | undefined;
  /** The day on which they last used the tool, in UTC, YYYY-MM-DD; absent if they have not, or the tool does not say. */
  lastActiveOn?: string | undefined;
}

/** The people in the tool's own user management. Each call may be repeated. They throw EngineRefusal when the tool refuses. */
export interface EngineMembers {
  /** Invites a person. `acceptPath`, below the workspace's address, is where they join; null: they have joined already. */
  invite(address: string, workspaceId: string, email: string): Promise<{ memberId: string; acceptPath: string | null }>;
  /** Revokes the invitation; false: they have joined, and stay. */
  revoke(address: string, workspaceId: string, email: string): Promise<boolean>;
  list(address: string, workspaceId: string): Promise<EngineMember[]>;
}

/** What the tool may know about its owner, to adapt its greeting. */
export interface EngineProfile {
  username: string;
  selectedApps: readonly string[];
  /** Answers to the sign-up's surveys, by the contract's names. */
  answers: Readonly<Record<string, unknown>>;
}
