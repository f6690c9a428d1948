ALTER TABLE "workspaces" ADD COLUMN "variables_revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "variables_passed" integer DEFAULT 0 NOT NULL;