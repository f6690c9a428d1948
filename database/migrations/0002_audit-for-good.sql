CREATE TABLE "audit_outbox" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION "public"."refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'rows of audit_log are never changed or deleted (%)', TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'docs/runbooks/audit-trail.md says what an owner of the database can do where a law demands it.';
END $$;
--> statement-breakpoint
-- By statement, so that it is refused whatever it would have found.
CREATE TRIGGER "audit_log_for_good" BEFORE UPDATE OR DELETE OR TRUNCATE ON "public"."audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_audit_change"();
--> statement-breakpoint
-- Also for a session that calls itself a replica, whose ordinary triggers are silent.
ALTER TABLE "public"."audit_log" ENABLE ALWAYS TRIGGER "audit_log_for_good";
--> statement-breakpoint
CREATE FUNCTION "public"."note_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Named with its schema: a temporary table of the same name would swallow it.
	INSERT INTO "public"."audit_outbox" ("audit_id") VALUES (NEW."id");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_noted" AFTER INSERT ON "public"."audit_log" FOR EACH ROW EXECUTE FUNCTION "public"."note_audit"();
