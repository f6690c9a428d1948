/**
 * The fixed values of an account and of its sign-up, separate from their schemas, so that a page that only shows them does not load zod.
 */

/** The order of the sign-up after registering. */
export const onboardingSteps = ["survey", "apps", "invite", "verify", "setup", "launch"] as const;
export type OnboardingStep = (typeof onboardingSteps)[number];

/** The steps of the first days' checklist, in the order in which the panel lists them. */
export const firstDaySteps = ["open", "workflow", "publish", "execution", "teammate", "backup"] as const;
export type FirstDayStep = (typeof firstDaySteps)[number];

/** Optional steps; a workspace needs all the others. */
export const skippableSteps = ["survey", "apps", "invite"] as const satisfies readonly OnboardingStep[];
export type SkippableStep = (typeof skippableSteps)[number];

/** The options of the surveys. */
export const workAreas = [
  "finance",
  "HR",
  "IT-Engineering",
  "legal",
  "marketing-growth",
  "ops",
  "product",
  "sales-businessDevelopment",
  "security",
  "support",
  "executive",
  "other",
  "n/a",
] as const;
export const industries = [
  "e-commerce",
  "automation-consulting",
  "systems-integration",
  "government",
  "legal-industry",
  "healthcare",
  "finance-industry",
  "security-industry",
  "saas",
  "other",
] as const;
export const companySizes = ["<20", "20-99", "100-499", "500-999", "1000+", "personalUser"] as const;
/** From no code at all to writing software for a living. */
export const codingSkillLevels = [0, 1, 2, 3, 4, 5] as const;

/** What a workspace is for first, as asked before its launch. */
export const workspacePurposes = ["leads", "support", "reports", "sync", "alerts", "documents", "agents", "explore"] as const;
export type WorkspacePurpose = (typeof workspacePurposes)[number];

export const aiUses = ["agents", "chatbots", "content", "data-extraction", "research", "coding", "none-yet"] as const;
export const aiExperiences = ["new", "chat-only", "prototypes", "production"] as const;

/** How many people one call may invite: as many as an owner might paste. More would be a mailing list. */
export const mostInvitedAtOnce = 50;

/** Optional emails, which can be turned off. Emails about money, access, credentials or data loss are always sent. */
export const optionalMails = ["usage", "updates", "exports"] as const;
export type OptionalMail = (typeof optionalMails)[number];
