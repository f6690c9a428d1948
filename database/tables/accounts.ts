/** Users, their credentials, and their survey answers. */
import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { languages } from "#contract/accounts/language.ts";
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import { sessionOpenings } from "#contract/accounts/session.ts";
import { at } from "./columns.ts";
import { counts, listed, lowercase } from "./rules.ts";

export const accounts = pgTable(
  "accounts",
  {
    id: uuid().primaryKey(),
    /** Host label, Unix and Kubernetes name: contract/api/fields.ts `accountName`. */
    name: text().notNull().unique(),
    /** Set when the owner finished the setup page and requested a workspace. */
    setUpAt: at("set_up_at"),
    /** A template to open in the editor at the end, kept from the sign-up link. */
    templateId: text("template_id"),
    /** Onboarding steps: step name to "done" or "skipped". The other steps follow from other columns. */
    onboardingSteps: jsonb("onboarding_steps").$type<Record<string, "done" | "skipped">>().notNull().default({}),
    /** What its owner has done with the workspace, and whether they dismissed the list: step name or "dismissed" to when (ISO). */
    firstDays: jsonb("first_days").$type<Record<string, string>>().notNull().default({}),
    /** Node names, in the order they were chosen. */
    selectedApps: jsonb("selected_apps").$type<string[]>().notNull().default([]),
    /** When answers or apps last changed; a workspace that got its profile earlier needs it again. */
    profileChangedAt: at("profile_changed_at"),
    /** When its host was first allowed a certificate; null: never. Used to count those of a week. */
    certificateAt: at("certificate_at"),
    /** Set while an operator keeps its workspace stopped (domain/journeys/suspend-account); no payment ends that. */
    suspendedAt: at("suspended_at"),
    /** When the suspension ends; null: when an operator lifts it. */
    suspendedUntil: at("suspended_until"),
    /** The operator; not shown to the owner. */
    suspendedBy: text("suspended_by"),
    /** Shown to the owner. */
    suspensionReason: text("suspension_reason"),
    /** Set while the account is closed (domain/journeys/close-account): its workspace is deleted, and its owner may reopen it. */
    closedAt: at("closed_at"),
    /** The operator; null: its owner closed it. */
    closedBy: text("closed_by"),
    /** An operator's, shown to the owner. */
    closingReason: text("closing_reason"),
    /** From then on a closed account can't be reopened: its backups are deleted, and its erasure is due. */
    eraseAt: at("erase_at"),
    /** Since when it has been being erased (domain/journeys/close-account/erasing): from then on nothing takes that back. */
    erasingSince: at("erasing_since"),
    /** When a worker may try (again) to erase it; null: at `eraseAt`. */
    erasureDueAt: at("erasure_due_at"),
    /** Tries in a row that failed, and why the last one did. */
    erasureAttempts: integer("erasure_attempts").notNull().default(0),
    erasureError: text("erasure_error"),
    /** What the last try found that has to end first; null: nothing. */
    erasureWaitsFor: text("erasure_waits_for", { enum: ["comparison", "money", "workspace", "copies", "mail"] }),
    /** When everything personal was gone. The row stays, so that the name, which is a host, is never given again. */
    erasedAt: at("erased_at"),
    createdAt: at("created_at").notNull(),
  },
  (table) => [
    index("accounts_certificate")
      .on(table.certificateAt)
      .where(sql`${table.certificateAt} is not null`),
    index("accounts_suspended_until")
      .on(table.suspendedUntil)
      .where(sql`${table.suspendedUntil} is not null`),
    index("accounts_to_erase")
      .on(table.eraseAt)
      .where(sql`${table.eraseAt} is not null and ${table.erasedAt} is null`),
    index("accounts_erased")
      .on(table.erasedAt)
      .where(sql`${table.erasedAt} is not null`),
    ...listed(table.erasureWaitsFor),
    ...counts(table.erasureAttempts),
  ],
);

export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    /** Lowercase; for signing in and for mails. */
    email: text().notNull().unique(),
    fullName: text("full_name").notNull(),
    /** Argon2id, in PHC format; null: no password works, and the person who reads the mailbox chooses one. */
    passwordHash: text("password_hash"),
    /** A publisher only publishes workflows and has no workspace: the panel lets in members only. Set by operators. */
    kind: text({ enum: ["member", "publisher"] })
      .notNull()
      .default("member"),
    confirmedAt: at("confirmed_at"),
    /** A code from contract/accounts/language.ts; null: the panel follows the browser. */
    language: text({ enum: languages }),
    /** The timezone in which the panel shows times; null: the browser's. A workspace has a separate setting. */
    displayTimezone: text("display_timezone"),
    /** Mails that this person has turned off, from contract/accounts/account-values.ts. */
    mutedMails: jsonb("muted_mails").$type<OptionalMail[]>().notNull().default([]),
    /** The terms accepted at registration, and when; null: registered before this was stored. */
    termsVersion: text("terms_version"),
    termsAcceptedAt: at("terms_accepted_at"),
    createdAt: at("created_at").notNull(),
  },
  (table) => [
    index("users_account").on(table.accountId),
    index("users_unconfirmed")
      .on(table.createdAt)
      .where(sql`${table.confirmedAt} is null`),
    ...lowercase(table.email),
    ...listed(table.kind, table.language),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the bearer token, hex; the token itself is never stored. */
    tokenHash: text("token_hash").primaryKey(),
    /** Identifies the session to its user; kept when the token is renewed, and grants no access. */
    id: uuid().notNull().unique().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** How the user was authenticated; a workspace's code is trusted less than a password. */
    openedBy: text("opened_by", { enum: sessionOpenings }).notNull().default("password"),
    /** Browser and system in the product's words, from the user agent at sign-in; null if unknown. */
    device: text(),
    /** The IP address at sign-in, by which its user recognizes it; null for sessions older than this column. */
    address: text(),
    /** When the password was last typed in this session; null: never. */
    typedAt: at("typed_at"),
    createdAt: at("created_at").notNull(),
    /** When it was last used, to the hour. Sessions older than this column count from its creation. */
    lastSeenAt: at("last_seen_at").notNull().defaultNow(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expiry").on(table.expiresAt),
    index("sessions_silence").on(table.lastSeenAt),
    index("sessions_age").on(table.createdAt),
    ...listed(table.openedBy),
  ],
);

/**
 * A browser in which a user has signed in: its guesses and mail requests are counted apart from strangers'. One token may be several
 * users', who share the browser.
 */
export const knownBrowsers = pgTable(
  "known_browsers",
  {
    /** Its attempts are counted under this; kept when the token is replaced. */
    id: uuid().primaryKey(),
    /** SHA-256 of the cookie's token, hex. */
    tokenHash: text("token_hash").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** When this user last signed in there; it is forgotten half a year later. */
    signedInAt: at("signed_in_at").notNull(),
  },
  (table) => [
    uniqueIndex("known_browsers_token").on(table.tokenHash, table.userId),
    index("known_browsers_user").on(table.userId, table.signedInAt),
    index("known_browsers_age").on(table.signedInAt),
  ],
);

/** Secrets of mailed links and one-time codes: stored as hashes, used once, deleted after they expire. */
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
  (table) => [
    index("link_tokens_user").on(table.userId, table.purpose, table.createdAt),
    index("link_tokens_expiry").on(table.expiresAt),
    ...listed(table.purpose),
  ],
);

/**
 * Attempts with passwords and requests for mails, per account name, address or recipient: slows down guessing, in every process and over
 * restarts.
 */
export const attempts = pgTable(
  "attempts",
  {
    /** SHA-256 of kind and subject: users sometimes type passwords in place of account names. */
    key: text().primaryKey(),
    /** Attempts since the last pause. */
    count: integer().notNull(),
    lastAt: at("last_at").notNull(),
    /** Until then every further attempt is refused, and not counted. */
    blockedUntil: at("blocked_until"),
  },
  (table) => [index("attempts_age").on(table.lastAt), ...counts(table.count)],
);

/** Solved and used challenges, as hashes, until they would have expired anyway: each allows one registration. */
export const usedChallenges = pgTable(
  "used_challenges",
  {
    hash: text().primaryKey(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [index("used_challenges_expiry").on(table.expiresAt)],
);

/** The latest answer to each survey, and to the question before the launch. The shape of `answer` is the contract's, by kind. */
export const surveyAnswers = pgTable(
  "survey_answers",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ["personalization", "ai", "setup"] }).notNull(),
    answer: jsonb().notNull(),
    answeredAt: at("answered_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] }), ...listed(table.kind)],
);
