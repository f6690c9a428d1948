CREATE TABLE "webhook_calls" (
	"workspace_id" uuid NOT NULL,
	"span_minutes" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"calls" integer NOT NULL,
	"client_errors" integer NOT NULL,
	"failed" integer NOT NULL,
	"waited" integer NOT NULL,
	"latency" integer[] NOT NULL,
	CONSTRAINT "webhook_calls_workspace_id_span_minutes_at_pk" PRIMARY KEY("workspace_id","span_minutes","at")
);
--> statement-breakpoint
ALTER TABLE "webhook_calls" ADD CONSTRAINT "webhook_calls_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_calls_age" ON "webhook_calls" USING btree ("span_minutes","at");