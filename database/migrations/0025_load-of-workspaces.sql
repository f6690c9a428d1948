ALTER TABLE "workspace_hours" ADD COLUMN "cpu_percent" integer;--> statement-breakpoint
ALTER TABLE "workspace_hours" ADD COLUMN "disk_mb" integer;--> statement-breakpoint
ALTER TABLE "workspace_memory" ADD COLUMN "cpu_percent" integer;--> statement-breakpoint
ALTER TABLE "workspace_memory" ADD COLUMN "disk_mb" integer;