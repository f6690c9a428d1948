ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_account_id_accounts_id_fk";
--> statement-breakpoint
CREATE INDEX "users_unconfirmed" ON "users" USING btree ("created_at") WHERE "users"."confirmed_at" is null;