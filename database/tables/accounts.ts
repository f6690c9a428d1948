/** People who sign in, what they prove themselves by, and what they answered. */
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";

export const accounts = pgTable("accounts", {
  id: uuid().primaryKey(),
  /** Host label, Unix and Kubernetes name: contract/api/fields.ts `accountName`. */
  name: text().notNull().unique(),
  /** Set when the owner finished the setup page and asked for a workspace. */
  setUpAt: at("set_up_at"),
  /** A template to open in the editor at the end, carried from the sign-up link. */
  templateId: text("template_id"),
  /** What somebody did on the way to their workspace: step name to "done" or "skipped". The other steps are seen elsewhere. */
  onboardingSteps: jsonb("onboarding_steps").$type<Record<string, "done" | "skipped">>().notNull().default({}),
  /** Names of nodes, in the order of choosing. */
  selectedApps: jsonb("selected_apps").$type<string[]>().notNull().default([]),
  /** When answers or apps last changed: what a workspace was told before is old. */
  profileChangedAt: at("profile_changed_at"),
  createdAt: at("created_at").notNull(),
});

export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    /** Lowercase; what a person signs in with and where mails go. */
    email: text().notNull().unique(),
    fullName: text("full_name").notNull(),
    /** Argon2id, in PHC format; null: no password counts, and the holder of the mailbox chooses one. */
    passwordHash: text("password_hash"),
    /** A publisher only publishes workflows and has no workspace: the panel lets in members only. Set by operators. */
    kind: text({ enum: ["member", "publisher"] })
      .notNull()
      .default("member"),
    confirmedAt: at("confirmed_at"),
    /** Which terms the person accepted at registration, and when; null: registered before this was stored. */
    termsVersion: text("terms_version"),
    termsAcceptedAt: at("terms_accepted_at"),
    createdAt: at("created_at").notNull(),
  },
  (table) => [index("users_account").on(table.accountId)],
);

export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the bearer token, hex; the token itself is never stored. */
    tokenHash: text("token_hash").primaryKey(),
    /** What its owner calls it by; stays when the token is renewed, and opens nothing. */
    id: uuid().notNull().unique().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** How the person proved who they are; a workspace's word is worth less than a password's. */
    openedBy: text("opened_by", { enum: ["password", "magic-link", "workspace", "operator"] })
      .notNull()
      .default("password"),
    /** Browser and system in our own words, as the browser named itself when it signed in; null where it is none that we know. */
    device: text(),
    /** When the password was last typed in it; null: never. */
    typedAt: at("typed_at"),
    createdAt: at("created_at").notNull(),
    /** When it was last used, to the hour. Sessions older than this column count from when it came. */
    lastSeenAt: at("last_seen_at").notNull().defaultNow(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expiry").on(table.expiresAt),
    index("sessions_silence").on(table.lastSeenAt),
    index("sessions_age").on(table.createdAt),
  ],
);

/** Secrets of e-mailed links and one-time codes: stored as hashes, used once, gone when they expire. */
export const linkTokens = pgTable(
  "link_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text({ enum: ["confirm-email", "reset-password", "change-email", "magic-link", "operator-code", "workspace-code"] }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address the link was sent to: a link for an old address confirms nothing. */
    email: text().notNull(),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [index("link_tokens_user").on(table.userId, table.purpose, table.createdAt), index("link_tokens_expiry").on(table.expiresAt)],
);

/** Tries of passwords and of asking for mails, per account name, address or recipient: what slows down guessing, in every process and over restarts. */
export const attempts = pgTable(
  "attempts",
  {
    /** SHA-256 of kind and subject: people type passwords where account names belong. */
    key: text().primaryKey(),
    /** Tries since the subject was last left alone for a while. */
    count: integer().notNull(),
    lastAt: at("last_at").notNull(),
    /** Until then every further try is refused, and not counted. */
    blockedUntil: at("blocked_until"),
  },
  (table) => [index("attempts_age").on(table.lastAt)],
);

/** Challenges that were solved and used, as hashes, until they would have expired anyway: each opens one registration. */
export const usedChallenges = pgTable(
  "used_challenges",
  {
    hash: text().primaryKey(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [index("used_challenges_expiry").on(table.expiresAt)],
);

/** The newest answer to each survey. The shape of `answer` is the contract's, by kind. */
export const surveyAnswers = pgTable(
  "survey_answers",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ["personalization", "ai"] }).notNull(),
    answer: jsonb().notNull(),
    answeredAt: at("answered_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);
