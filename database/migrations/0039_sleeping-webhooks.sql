CREATE TABLE "sleeping_webhooks" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"asleep_since" timestamp with time zone NOT NULL,
	"paths" jsonb NOT NULL,
	"templates" text[] NOT NULL,
	"first_execution" bigint,
	"last_execution" bigint
);
--> statement-breakpoint
ALTER TABLE "sleeping_webhooks" ADD CONSTRAINT "sleeping_webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;