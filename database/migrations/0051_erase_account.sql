DROP INDEX "accounts_to_erase";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erasing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erasure_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erasure_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erasure_error" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erasure_waits_for" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "accounts_erased" ON "accounts" USING btree ("erased_at") WHERE "accounts"."erased_at" is not null;--> statement-breakpoint
CREATE INDEX "accounts_to_erase" ON "accounts" USING btree ("erase_at") WHERE "accounts"."erase_at" is not null and "accounts"."erased_at" is null;--> statement-breakpoint
-- Written by hand: erasing an account blanks its rows of the audit log, and nothing else changes any.
CREATE FUNCTION "public"."addresses_of_account"("account" uuid) RETURNS SETOF text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
	-- Each address that its people have or had. Not one that was only asked for: it may be anyone's.
	SELECT "email" FROM "public"."users" WHERE "account_id" = "account"
	UNION SELECT "value" #>> '{}' FROM "public"."audit_log", unnest(CASE "action"
			WHEN 'email.changed' THEN ARRAY["before", "after"]
			WHEN 'email.corrected' THEN ARRAY["before"]
			WHEN 'email.confirmed' THEN ARRAY["after"]
			WHEN 'email.claimed' THEN ARRAY["after"]
		END) AS "value"
		WHERE "account_id" = "account" AND jsonb_typeof("value") = 'string' AND "value" #>> '{}' <> '';
$$;
--> statement-breakpoint
CREATE FUNCTION "public"."words_of_account"("account" uuid) RETURNS text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
	-- The account's name, and its addresses, without those that another account's user has by now.
	SELECT coalesce(array_agg("word"), '{}') FROM (
		SELECT "name" AS "word" FROM "public"."accounts" WHERE "id" = "account"
		UNION SELECT "word" FROM "public"."addresses_of_account"("account") AS "word"
			WHERE NOT EXISTS (SELECT FROM "public"."users" WHERE "email" = "word" AND "account_id" <> "account")
	) AS "words";
$$;
--> statement-breakpoint
CREATE FUNCTION "public"."command_names"("entry" jsonb, "words" text[]) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
	-- The argument of a command that is about an account is the account's name or address, or what was typed contains one of the addresses.
	-- A test of apps/ops/commands/erase.test.ts compares the list with the commands.
	SELECT EXISTS (
		SELECT WHERE lower("entry" #>> '{arguments,0}') = ANY ("words") AND "entry" ->> 'command' IN (
			'show', 'workspace', 'login-code', 'end-sessions', 'suspend', 'resume', 'close', 'reopen', 'erase', 'set-publisher',
			'set-plan', 'end-plan', 'extend-trial', 'delete-without-backup', 'restore-workspace', 'first-restore'
		)
		UNION ALL
		SELECT FROM unnest("words") AS "word",
			jsonb_path_query(jsonb_build_array("entry" -> 'arguments', "entry" -> 'options', "entry" -> 'reason'), '$.**') AS "part"
		WHERE strpos("word", '@') > 0 AND jsonb_typeof("part") = 'string' AND lower("part" #>> '{}') ~ (
			'(^|[^a-z0-9._%+-])' || regexp_replace(lower("word"), '([.*+?^${}()|\[\]\\])', '\\\1', 'g') || '($|[^a-z0-9.-]|[.]($|[^a-z0-9]))'
		)
	);
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "public"."refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Then the trigger of the rows decides about each of them.
	IF TG_OP = 'UPDATE' AND coalesce(current_setting('slipway.erasing', true), '') <> '' THEN
		RETURN NULL;
	END IF;
	RAISE EXCEPTION 'rows of audit_log are never changed or deleted (%)', TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'docs/runbooks/audit-trail.md says what an owner of the database can do where a law demands it.';
END $$;
--> statement-breakpoint
CREATE FUNCTION "public"."refuse_audit_row_change"() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"account" uuid := nullif(current_setting('slipway.erasing', true), '')::uuid;
BEGIN
	IF EXISTS (SELECT FROM "public"."accounts" WHERE "id" = "account" AND "erased_at" IS NOT NULL)
		AND (NEW."id", NEW."at", NEW."user_id", NEW."action", NEW."request_id") IS NOT DISTINCT FROM (OLD."id", OLD."at", OLD."user_id", OLD."action", OLD."request_id")
		AND NEW."account_id" IS NOT DISTINCT FROM OLD."account_id" THEN
		-- Of the account: the values go. What erased it stays.
		IF OLD."account_id" = "account" AND OLD."action" NOT IN ('account.erasing', 'account.erased')
			AND NEW."before" IS NULL AND NEW."after" IS NULL AND NEW."address" IS NULL THEN
			RETURN NEW;
		END IF;
		-- A command of an operator that named it: who ran which command stays.
		IF OLD."account_id" IS NULL AND OLD."action" = 'operator.command'
			AND NEW."before" IS NOT DISTINCT FROM OLD."before" AND NEW."address" IS NOT DISTINCT FROM OLD."address"
			AND NEW."after" = OLD."after" - ARRAY['arguments', 'options', 'reason']
			AND "public"."command_names"(OLD."after", "public"."words_of_account"("account")) THEN
			RETURN NEW;
		END IF;
	END IF;
	RAISE EXCEPTION 'rows of audit_log are never changed or deleted (%)', TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'Only erasing an account blanks values of its rows.';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_only_blanked" BEFORE UPDATE ON "public"."audit_log" FOR EACH ROW EXECUTE FUNCTION "public"."refuse_audit_row_change"();
--> statement-breakpoint
ALTER TABLE "public"."audit_log" ENABLE ALWAYS TRIGGER "audit_log_only_blanked";
--> statement-breakpoint
-- By the table's owner, so that the program's user needs no right to change it. Called in the transaction that erases the account, before its people go.
CREATE FUNCTION "public"."erase_audit"("account" uuid) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	"words" text[] := "public"."words_of_account"("account");
	"blanked" bigint;
	"commands" bigint;
BEGIN
	PERFORM set_config('slipway.erasing', "account"::text, true);
	-- First, because the account's own rows say which addresses it had.
	UPDATE "public"."audit_log" SET "after" = "after" - ARRAY['arguments', 'options', 'reason']
		WHERE "account_id" IS NULL AND "action" = 'operator.command' AND "public"."command_names"("after", "words");
	GET DIAGNOSTICS "commands" = ROW_COUNT;
	UPDATE "public"."audit_log" SET "before" = NULL, "after" = NULL, "address" = NULL
		WHERE "account_id" = "account" AND "action" NOT IN ('account.erasing', 'account.erased')
			AND ("before" IS NOT NULL OR "after" IS NOT NULL OR "address" IS NOT NULL);
	GET DIAGNOSTICS "blanked" = ROW_COUNT;
	PERFORM set_config('slipway.erasing', '', true);
	RETURN "blanked" + "commands";
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."erase_audit"(uuid) FROM PUBLIC;
