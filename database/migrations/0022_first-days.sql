ALTER TABLE "accounts" ADD COLUMN "first_days" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "workflows" integer;