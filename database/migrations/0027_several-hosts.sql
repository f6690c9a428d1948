CREATE TABLE "hosts" (
	"name" text PRIMARY KEY NOT NULL,
	"address" text,
	"free_mb" integer DEFAULT 0 NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"draining_since" timestamp with time zone,
	"lost_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "workspaces_due_kind";--> statement-breakpoint
DROP INDEX "workspaces_nightly";--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "host" text DEFAULT 'main';--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "arriving" uuid;--> statement-breakpoint
ALTER TABLE "blanks" ADD COLUMN "host" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
CREATE INDEX "workspaces_due_kind" ON "workspaces" USING btree ("host",(case
  when desired_state <> 'running' then 'stop'
  when wake_asked_at is not null then 'wake'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end),"reconcile_at") WHERE "workspaces"."reconcile_at" is not null;--> statement-breakpoint
CREATE INDEX "workspaces_nightly" ON "workspaces" USING btree ("host","nightly_at") WHERE "workspaces"."desired_state" = 'running' and "workspaces"."observed_state" = 'online' and "workspaces"."owner_set_up_at" is not null;