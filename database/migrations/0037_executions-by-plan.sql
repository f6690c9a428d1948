ALTER TABLE "workspaces" ALTER COLUMN "executions_to_keep" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "workspaces" ALTER COLUMN "executions_to_keep" DROP NOT NULL;--> statement-breakpoint
-- The old default was nobody's choice: such a workspace keeps what its plan sells.
UPDATE "workspaces" SET "executions_to_keep" = NULL WHERE "executions_to_keep" = 1000;
