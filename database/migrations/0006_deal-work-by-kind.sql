CREATE INDEX "backups_lease" ON "backups" USING btree ("lease_until") WHERE "backups"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "exports_lease" ON "exports" USING btree ("lease_until") WHERE "exports"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "sessions_age" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "workspaces_due_kind" ON "workspaces" USING btree ((case
  when desired_state <> 'running' then 'stop'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end),"reconcile_at") WHERE "workspaces"."reconcile_at" is not null;--> statement-breakpoint
CREATE INDEX "workspaces_lease" ON "workspaces" USING btree ("lease_until") WHERE "workspaces"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "workspaces_automatic" ON "workspaces" USING btree ("id") WHERE "workspaces"."auto_update" and "workspaces"."desired_state" = 'running' and "workspaces"."observed_state" = 'online';