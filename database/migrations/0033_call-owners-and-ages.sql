ALTER TABLE "idempotency_keys" ADD COLUMN "owner" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "checkouts_age" ON "checkouts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "workspace_journal_age" ON "workspace_journal" USING btree ("at");