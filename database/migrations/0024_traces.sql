ALTER TABLE "workspaces" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "traceparent" text;