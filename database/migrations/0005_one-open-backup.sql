ALTER TABLE "workspace_updates" ADD COLUMN "snapshot_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "renewed_at" timestamp with time zone;--> statement-breakpoint
-- What the indexes forbid from here on may be there: of several that wait or run, the first stays.
UPDATE "backups" SET "state" = 'failed', "reason" = 'Another backup was being made at the same time.', "due_at" = null, "lease_owner" = null, "lease_until" = null, "finished_at" = now(), "kept_until" = now()
WHERE "id" IN (SELECT "id" FROM (SELECT "id", row_number() OVER (PARTITION BY "workspace_id", "kind" ORDER BY "created_at", "id") AS "place" FROM "backups" WHERE "state" IN ('waiting', 'running') AND "kind" IN ('manual', 'nightly')) AS "open" WHERE "place" > 1);--> statement-breakpoint
UPDATE "exports" SET "state" = 'failed', "reason" = 'Another export was being made at the same time.', "credentials_key" = null, "due_at" = null, "lease_owner" = null, "lease_until" = null, "finished_at" = now(), "kept_until" = now()
WHERE "id" IN (SELECT "id" FROM (SELECT "id", row_number() OVER (PARTITION BY "account_id" ORDER BY "created_at", "id") AS "place" FROM "exports" WHERE "state" IN ('waiting', 'running')) AS "open" WHERE "place" > 1);--> statement-breakpoint
UPDATE "workspace_updates" SET "snapshot_at" = "started_at" WHERE "backup_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "backups_open" ON "backups" USING btree ("workspace_id","kind") WHERE "backups"."state" in ('waiting', 'running') and "backups"."kind" in ('manual', 'nightly');--> statement-breakpoint
CREATE UNIQUE INDEX "exports_open" ON "exports" USING btree ("account_id") WHERE "exports"."state" in ('waiting', 'running');