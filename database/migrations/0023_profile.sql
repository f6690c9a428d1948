ALTER TABLE "users" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "display_timezone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "muted_mails" jsonb DEFAULT '[]'::jsonb NOT NULL;