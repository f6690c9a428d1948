DROP INDEX "workspaces_due_kind";--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "asleep_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "sleep_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "asleep_revision" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "wake_asked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "workspaces_due_kind" ON "workspaces" USING btree ((case
  when desired_state <> 'running' then 'stop'
  when wake_asked_at is not null then 'wake'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end),"reconcile_at") WHERE "workspaces"."reconcile_at" is not null;