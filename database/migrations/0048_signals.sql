CREATE INDEX "provider_events_handled" ON "provider_events" USING btree ("handled_at");--> statement-breakpoint
CREATE INDEX "timers_retried" ON "timers" USING btree ("due_at") WHERE "timers"."attempts" > 0;--> statement-breakpoint
CREATE INDEX "backups_made" ON "backups" USING btree ("finished_at") WHERE "backups"."state" in ('successful', 'removed');--> statement-breakpoint
CREATE INDEX "exports_ended" ON "exports" USING btree ("state","finished_at");--> statement-breakpoint
CREATE INDEX "restores_ended" ON "restores" USING btree ("state","finished_at");