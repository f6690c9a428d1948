ALTER TABLE "workspace_updates" ALTER COLUMN "life" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "restores" ALTER COLUMN "life" DROP DEFAULT;