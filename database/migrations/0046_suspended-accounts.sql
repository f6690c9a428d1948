ALTER TABLE "accounts" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "suspended_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "suspended_by" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "suspension_reason" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "resumes_as" text;--> statement-breakpoint
CREATE INDEX "accounts_suspended_until" ON "accounts" USING btree ("suspended_until") WHERE "accounts"."suspended_until" is not null;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_stopped_while_suspended" CHECK ("workspaces"."resumes_as" is null or "workspaces"."desired_state" <> 'running');