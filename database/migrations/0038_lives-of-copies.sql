ALTER TABLE "backups" ADD COLUMN "life" integer;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "life" integer;