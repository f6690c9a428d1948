CREATE TABLE "billing_findings" (
	"provider" text NOT NULL,
	"kind" text NOT NULL,
	"object_id" text NOT NULL,
	"account_id" uuid,
	"name" text NOT NULL,
	"paid" jsonb NOT NULL,
	"detail" text NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" text,
	CONSTRAINT "billing_findings_provider_kind_object_id_pk" PRIMARY KEY("provider","kind","object_id")
);
--> statement-breakpoint
ALTER TABLE "invoice_numbers" ADD COLUMN "series" text DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE "invoice_numbers" DROP CONSTRAINT "invoice_numbers_pkey";--> statement-breakpoint
ALTER TABLE "invoice_numbers" ADD CONSTRAINT "invoice_numbers_series_year_pk" PRIMARY KEY("series","year");--> statement-breakpoint
-- Until now the sandbox counted with the sales: it continues after its own numbers.
INSERT INTO "invoice_numbers" ("series", "year", "issued") SELECT 'sandbox', "year", "issued" FROM "invoice_numbers";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "number_kept_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sandbox_invoices" ADD COLUMN "document_numbers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_findings" ADD CONSTRAINT "billing_findings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_findings_account" ON "billing_findings" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "billing_findings_closed" ON "billing_findings" USING btree ("closed_at");--> statement-breakpoint
CREATE INDEX "invoices_unkept" ON "invoices" USING btree ("account_id") WHERE "invoices"."number_kept_at" is null and "invoices"."document" is not null;