ALTER TABLE "audit_log" ADD COLUMN "request_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_log_request" ON "audit_log" USING btree ("request_id") WHERE "audit_log"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","created_at" DESC NULLS LAST);