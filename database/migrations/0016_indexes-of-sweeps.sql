ALTER TABLE "workspaces" ADD COLUMN "nightly_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "invoices_unwritten" ON "invoices" USING btree ("issued_at") WHERE "invoices"."document" is null;--> statement-breakpoint
CREATE INDEX "invoices_unreceipted" ON "invoices" USING btree ("issued_at") WHERE "invoices"."receipt_queued_at" is null;--> statement-breakpoint
CREATE INDEX "workspaces_nightly" ON "workspaces" USING btree ("nightly_at") WHERE "workspaces"."desired_state" = 'running' and "workspaces"."observed_state" = 'online' and "workspaces"."owner_set_up_at" is not null;--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("failed_at") WHERE "mails"."failed_at" is not null;