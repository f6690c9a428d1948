DROP INDEX "exports_open";--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "generation" integer;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "stored_as" text;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "unpacked_size" bigint;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "left_out" jsonb;--> statement-breakpoint
ALTER TABLE "restores" ADD COLUMN "life" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspace_updates" ADD COLUMN "life" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "life" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "exports_open" ON "exports" USING btree ("account_id","with_credentials") WHERE "exports"."state" in ('waiting', 'running');--> statement-breakpoint
-- What is of a workspace that was deleted before lives were counted.
UPDATE "restores" SET "life" = 0 FROM "workspaces" WHERE "workspaces"."id" = "restores"."workspace_id" AND "restores"."created_at" < "workspaces"."renewed_at";--> statement-breakpoint
UPDATE "workspace_updates" SET "life" = 0 FROM "workspaces" WHERE "workspaces"."id" = "workspace_updates"."workspace_id" AND "workspace_updates"."started_at" < "workspaces"."renewed_at";
