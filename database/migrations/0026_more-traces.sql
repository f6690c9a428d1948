ALTER TABLE "provider_events" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "traceparent" text;