CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE person (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	email VARCHAR NOT NULL, 
	name VARCHAR, 
	created_at INTEGER NOT NULL, 
	currency VARCHAR, 
	time_zone VARCHAR NOT NULL, 
	budget_shares VARCHAR, 
	target_months INTEGER, 
	monthly_income INTEGER, 
	generation INTEGER DEFAULT 0 NOT NULL, key_rules INTEGER DEFAULT 0 NOT NULL, row_generation INTEGER DEFAULT 0 NOT NULL, event_no INTEGER DEFAULT 0 NOT NULL, event_at INTEGER DEFAULT 0 NOT NULL, data_no INTEGER DEFAULT 0 NOT NULL, inference_due INTEGER DEFAULT 0 NOT NULL, email_key VARCHAR, password VARCHAR, google_subject VARCHAR, guest_until INTEGER, 
	PRIMARY KEY (no), 
	UNIQUE (id)
);
CREATE TABLE connection (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	provider VARCHAR NOT NULL, 
	institution_name VARCHAR NOT NULL, 
	institution_id VARCHAR, 
	status VARCHAR NOT NULL, 
	error VARCHAR, 
	cursor VARCHAR, 
	failures INTEGER DEFAULT 0 NOT NULL, 
	last_synced_at INTEGER, 
	created_at INTEGER NOT NULL, 
	by_import INTEGER DEFAULT 0 NOT NULL, next_try_at INTEGER, bank VARCHAR, secret BLOB, named_by_bank INTEGER DEFAULT 0 NOT NULL, access_ends_at INTEGER, unfinished INTEGER DEFAULT 0 NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE INDEX connection_owner ON connection (owner_no);
CREATE TABLE import_batch (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	started_at INTEGER NOT NULL, 
	committed_at INTEGER, 
	undone_at INTEGER, 
	report TEXT, 
	"before" TEXT, misread TEXT, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE INDEX import_batch_owner ON import_batch (owner_no);
CREATE TABLE payee (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	raw VARCHAR NOT NULL, 
	category_out VARCHAR NOT NULL, 
	category_in VARCHAR NOT NULL, 
	decided_out VARCHAR NOT NULL, 
	decided_in VARCHAR NOT NULL, 
	source VARCHAR, 
	confidence FLOAT, 
	alternatives VARCHAR DEFAULT '' NOT NULL, 
	suggested VARCHAR, 
	why VARCHAR NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX payee_key ON payee (owner_no, "key");
CREATE TABLE "plan" (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	created_at INTEGER NOT NULL, 
	body TEXT NOT NULL, data_no INTEGER, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX plan_owner ON "plan" (owner_no, created_at);
CREATE TABLE account (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	connection_no INTEGER NOT NULL, 
	external_id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	mask VARCHAR, 
	kind VARCHAR NOT NULL, 
	subtype VARCHAR, 
	currency VARCHAR NOT NULL, 
	balance INTEGER, 
	balance_day INTEGER, 
	credit_limit INTEGER, 
	apr FLOAT, 
	minimum_payment INTEGER, 
	hidden INTEGER DEFAULT 0 NOT NULL, 
	kept VARCHAR DEFAULT '' NOT NULL, 
	sources VARCHAR DEFAULT '' NOT NULL, institution VARCHAR, 
	PRIMARY KEY (no), 
	FOREIGN KEY(connection_no) REFERENCES connection (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE UNIQUE INDEX account_external ON account (connection_no, external_id, currency);
CREATE INDEX account_owner ON account (owner_no);
CREATE TABLE rule (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	payee_no INTEGER NOT NULL, 
	amount INTEGER, 
	category VARCHAR NOT NULL, 
	saved_at INTEGER NOT NULL, direction VARCHAR DEFAULT 'both' NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(payee_no) REFERENCES payee (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE UNIQUE INDEX rule_amount ON rule (payee_no, amount) WHERE amount IS NOT NULL;
CREATE INDEX rule_owner ON rule (owner_no);
CREATE TABLE balance_record (
	account_no INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	import_no INTEGER NOT NULL, 
	balance INTEGER NOT NULL, 
	PRIMARY KEY (account_no, day, import_no), 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE CASCADE
);
CREATE TABLE remembered_row (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	account_id VARCHAR NOT NULL, 
	account_key VARCHAR NOT NULL, 
	currency VARCHAR NOT NULL, 
	day INTEGER NOT NULL, 
	amount INTEGER NOT NULL, 
	raw TEXT NOT NULL, 
	external_id VARCHAR, 
	ordinal INTEGER NOT NULL, 
	pending INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE INDEX remembered_row_owner ON remembered_row (owner_no);
CREATE TABLE transfer_verdict (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	verdict VARCHAR NOT NULL, 
	out_row_no INTEGER NOT NULL, 
	in_row_no INTEGER NOT NULL, 
	decided_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(in_row_no) REFERENCES remembered_row (no) ON DELETE CASCADE, 
	FOREIGN KEY(out_row_no) REFERENCES remembered_row (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX transfer_verdict_id ON transfer_verdict (owner_no, id);
CREATE TABLE series_verdict (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	payee_key VARCHAR NOT NULL, 
	amount INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	cadence VARCHAR NOT NULL, 
	interval_days INTEGER NOT NULL, 
	verdict VARCHAR NOT NULL, 
	decided_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX series_verdict_id ON series_verdict (owner_no, id);
CREATE TABLE duplicate_verdict (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	verdict VARCHAR NOT NULL, 
	kept_row_no INTEGER, 
	other_row_no INTEGER, 
	kept_account VARCHAR, 
	other_account VARCHAR, 
	decided_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(kept_row_no) REFERENCES remembered_row (no) ON DELETE CASCADE, 
	FOREIGN KEY(other_row_no) REFERENCES remembered_row (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX duplicate_verdict_id ON duplicate_verdict (owner_no, id);
CREATE TABLE set_aside (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	verdict_no INTEGER NOT NULL, 
	account_no INTEGER NOT NULL, 
	payee_no INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	amount INTEGER NOT NULL, 
	raw TEXT NOT NULL, 
	external_id VARCHAR, 
	ordinal INTEGER NOT NULL, 
	source VARCHAR NOT NULL, 
	pending INTEGER NOT NULL, 
	import_no INTEGER, code VARCHAR, 
	PRIMARY KEY (no), 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE CASCADE, 
	FOREIGN KEY(import_no) REFERENCES import_batch (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(payee_no) REFERENCES payee (no) ON DELETE CASCADE, 
	FOREIGN KEY(verdict_no) REFERENCES duplicate_verdict (no) ON DELETE CASCADE
);
CREATE INDEX set_aside_account ON set_aside (account_no);
CREATE INDEX set_aside_owner ON set_aside (owner_no);
CREATE TABLE custom_category (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	known_as VARCHAR NOT NULL, 
	line VARCHAR NOT NULL, 
	reimbursable INTEGER NOT NULL, 
	created_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE UNIQUE INDEX custom_category_name ON custom_category (owner_no, known_as);
CREATE TABLE dismissed_suggestion (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX dismissed_suggestion_name ON dismissed_suggestion (owner_no, name);
CREATE TABLE csv_answer (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	import_no INTEGER NOT NULL, 
	signature VARCHAR NOT NULL, 
	header VARCHAR NOT NULL, 
	encoding VARCHAR, 
	date_order VARCHAR, 
	decimal_sign VARCHAR, 
	currency VARCHAR, 
	account_no INTEGER, 
	saved_at INTEGER NOT NULL, direction VARCHAR, amount_column VARCHAR, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(import_no) REFERENCES import_batch (no) ON DELETE CASCADE, 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE SET NULL
);
CREATE INDEX csv_answer_import ON csv_answer (import_no);
CREATE TABLE api_key (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	prefix VARCHAR NOT NULL, 
	scopes VARCHAR NOT NULL, 
	created_at INTEGER NOT NULL, 
	last_used_at INTEGER, 
	revoked_at INTEGER, expires_at INTEGER, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (hash), 
	UNIQUE (id)
);
CREATE INDEX api_key_owner ON api_key (owner_no);
CREATE TABLE kept_reply (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	method VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	fingerprint VARCHAR NOT NULL, 
	created_at INTEGER NOT NULL, 
	holder VARCHAR, 
	held_until INTEGER NOT NULL, 
	reply BLOB, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX kept_reply_request ON kept_reply (owner_no, method, path, "key");
CREATE INDEX kept_reply_age ON kept_reply (created_at);
CREATE TABLE build (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	started_at INTEGER NOT NULL, 
	finished_at INTEGER, 
	plan_created_at INTEGER, 
	error VARCHAR, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE INDEX build_owner ON build (owner_no, status);
CREATE TABLE shown_allowance (
	owner_no INTEGER NOT NULL, 
	event_no INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	period_end INTEGER NOT NULL, 
	daily INTEGER NOT NULL, 
	PRIMARY KEY (owner_no, event_no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE TABLE coverage (
	account_no INTEGER NOT NULL, 
	import_no INTEGER NOT NULL, 
	since INTEGER NOT NULL, 
	until INTEGER NOT NULL, 
	since_stated INTEGER NOT NULL, 
	until_stated INTEGER NOT NULL, 
	PRIMARY KEY (account_no, import_no, since, until), 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE CASCADE
);
CREATE INDEX csv_answer_header ON csv_answer (owner_no, signature, import_no);
CREATE UNIQUE INDEX rule_payee ON rule (payee_no, direction) WHERE amount IS NULL;
CREATE UNIQUE INDEX person_email ON person (email_key);
CREATE UNIQUE INDEX person_google ON person (google_subject);
CREATE TABLE last_number (
	name VARCHAR NOT NULL, 
	given INTEGER NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE browser_session (
	no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	hash VARCHAR NOT NULL, 
	created_at INTEGER NOT NULL, 
	last_used_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	user_agent VARCHAR, 
	address VARCHAR NOT NULL, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (hash), 
	UNIQUE (id)
);
CREATE INDEX browser_session_owner ON browser_session (owner_no);
CREATE INDEX browser_session_end ON browser_session (expires_at);
CREATE TABLE sign_in_link (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	hash VARCHAR NOT NULL, 
	expires_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (hash)
);
CREATE INDEX sign_in_link_owner ON sign_in_link (owner_no);
CREATE TABLE invite (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	hash VARCHAR NOT NULL, 
	email VARCHAR, 
	created_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	used_at INTEGER, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (hash), 
	UNIQUE (id)
);
CREATE INDEX invite_owner ON invite (owner_no);
CREATE TABLE audit_event (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	at INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	credential VARCHAR, 
	address VARCHAR, 
	text VARCHAR NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE INDEX audit_event_time ON audit_event (owner_no, at);
CREATE TABLE oauth_client (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER, 
	name VARCHAR NOT NULL, 
	auth_method VARCHAR NOT NULL, 
	secret_hash VARCHAR, 
	redirect_uris TEXT NOT NULL, 
	scopes VARCHAR NOT NULL, 
	created_at INTEGER NOT NULL, 
	last_used_at INTEGER, 
	PRIMARY KEY (no), 
	UNIQUE (id), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE INDEX oauth_client_owner ON oauth_client (owner_no);
CREATE TABLE oauth_grant (
	no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	owner_no INTEGER NOT NULL, 
	client_no INTEGER NOT NULL, 
	scopes VARCHAR NOT NULL, 
	resource VARCHAR NOT NULL, 
	created_at INTEGER NOT NULL, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(client_no) REFERENCES oauth_client (no) ON DELETE CASCADE
);
CREATE INDEX oauth_grant_owner ON oauth_grant (owner_no);
CREATE INDEX oauth_grant_client ON oauth_grant (client_no);
CREATE TABLE oauth_code (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	grant_no INTEGER NOT NULL, 
	hash VARCHAR NOT NULL, 
	redirect_uri TEXT NOT NULL, 
	challenge VARCHAR NOT NULL, 
	nonce VARCHAR, 
	signed_in_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	used_at INTEGER, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(grant_no) REFERENCES oauth_grant (no) ON DELETE CASCADE, 
	UNIQUE (hash)
);
CREATE INDEX oauth_code_owner ON oauth_code (owner_no);
CREATE INDEX oauth_code_grant ON oauth_code (grant_no);
CREATE INDEX oauth_code_end ON oauth_code (expires_at);
CREATE TABLE agent (
	no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	scopes VARCHAR NOT NULL, 
	generation INTEGER DEFAULT 0 NOT NULL, 
	claim_hash VARCHAR, 
	created_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	claimed_at INTEGER, 
	polled_at INTEGER, 
	last_used_at INTEGER, 
	address VARCHAR NOT NULL, 
	UNIQUE (id), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (claim_hash)
);
CREATE INDEX agent_owner ON agent (owner_no);
CREATE TABLE oauth_token (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	grant_no INTEGER, 
	agent_no INTEGER, 
	hash VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	scopes VARCHAR NOT NULL, 
	resource VARCHAR NOT NULL, 
	created_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	used_at INTEGER, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(grant_no) REFERENCES oauth_grant (no) ON DELETE CASCADE, 
	FOREIGN KEY(agent_no) REFERENCES agent (no) ON DELETE CASCADE, 
	UNIQUE (hash)
);
CREATE INDEX oauth_token_owner ON oauth_token (owner_no);
CREATE INDEX oauth_token_grant ON oauth_token (grant_no);
CREATE INDEX oauth_token_agent ON oauth_token (agent_no);
CREATE INDEX oauth_token_end ON oauth_token (expires_at);
CREATE TABLE claim_attempt (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	agent_no INTEGER NOT NULL, 
	view_hash VARCHAR NOT NULL, 
	code_hash VARCHAR NOT NULL, 
	email_key VARCHAR NOT NULL, 
	tries INTEGER DEFAULT 0 NOT NULL, 
	created_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	UNIQUE (id), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(agent_no) REFERENCES agent (no) ON DELETE CASCADE, 
	UNIQUE (view_hash)
);
CREATE INDEX claim_attempt_owner ON claim_attempt (owner_no);
CREATE INDEX claim_attempt_agent ON claim_attempt (agent_no);
CREATE INDEX claim_attempt_email ON claim_attempt (email_key);
CREATE TABLE signing_key (
	no INTEGER NOT NULL, 
	kid VARCHAR NOT NULL, 
	algorithm VARCHAR NOT NULL, 
	public TEXT NOT NULL, 
	sealed BLOB NOT NULL, 
	created_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	UNIQUE (kid)
);
CREATE TABLE job (
	no INTEGER NOT NULL, 
	owner_no INTEGER, 
	name VARCHAR NOT NULL, 
	next_at INTEGER, 
	last_at INTEGER, 
	last_result VARCHAR, 
	error VARCHAR, 
	failures INTEGER DEFAULT 0 NOT NULL, 
	asked INTEGER DEFAULT 0 NOT NULL, 
	seen VARCHAR, 
	lease_until INTEGER, 
	lease_holder VARCHAR, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX job_owner ON job (owner_no, name);
CREATE UNIQUE INDEX job_machine ON job (name) WHERE owner_no IS NULL;
CREATE TABLE notice (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	incident VARCHAR NOT NULL, 
	told_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX notice_incident ON notice (owner_no, incident);
CREATE TABLE webhook (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	description VARCHAR, 
	events VARCHAR NOT NULL, 
	secret BLOB NOT NULL, 
	former_secret BLOB, 
	former_until INTEGER, 
	created_at INTEGER NOT NULL, 
	disabled_at INTEGER, 
	disabled_why VARCHAR, 
	failing_since INTEGER, 
	last_error VARCHAR, chosen_by VARCHAR, last_failed_at INTEGER, 
	PRIMARY KEY (no), 
	UNIQUE (id), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE INDEX webhook_owner ON webhook (owner_no);
CREATE TABLE webhook_delivery (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	webhook_no INTEGER NOT NULL, 
	type VARCHAR NOT NULL, 
	body TEXT NOT NULL, 
	status VARCHAR NOT NULL, 
	attempts INTEGER DEFAULT 0 NOT NULL, 
	next_attempt_at INTEGER NOT NULL, 
	claim VARCHAR, 
	claimed_until INTEGER, 
	last_status INTEGER, 
	last_error VARCHAR, 
	created_at INTEGER NOT NULL, 
	delivered_at INTEGER, former_status VARCHAR, former_next_attempt_at INTEGER, put_off_until INTEGER, 
	PRIMARY KEY (no), 
	UNIQUE (id), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(webhook_no) REFERENCES webhook (no) ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_owner ON webhook_delivery (owner_no);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_no);
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_no, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_claim ON webhook_delivery (claimed_until) WHERE claimed_until IS NOT NULL;
CREATE TABLE told_series (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	count INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE UNIQUE INDEX told_series_name ON told_series (owner_no, name);
CREATE INDEX webhook_chosen_by ON webhook (chosen_by);
CREATE TABLE agent_task (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	context_id VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	status_at INTEGER NOT NULL, 
	turns INTEGER NOT NULL, 
	asked TEXT, 
	said TEXT NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE INDEX agent_task_owner ON agent_task (owner_no, status_at, no);
CREATE TABLE bank_request (
	no INTEGER NOT NULL, 
	connection_no INTEGER NOT NULL, 
	asked_at INTEGER NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(connection_no) REFERENCES connection (no) ON DELETE CASCADE
);
CREATE INDEX bank_request_when ON bank_request (connection_no, asked_at);
CREATE TABLE claimed_pending (
	account_no INTEGER NOT NULL, 
	pending_id VARCHAR NOT NULL, 
	posted_id VARCHAR NOT NULL, 
	day INTEGER NOT NULL, 
	PRIMARY KEY (account_no, pending_id), 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE CASCADE
);
CREATE TABLE bank_link (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	bank VARCHAR NOT NULL, 
	url VARCHAR NOT NULL, 
	ticket BLOB NOT NULL, 
	state VARCHAR, 
	institution_name VARCHAR, 
	institution_id VARCHAR, 
	connection_no INTEGER, 
	status VARCHAR NOT NULL, 
	error VARCHAR, 
	is_over INTEGER DEFAULT 0 NOT NULL, 
	created_at INTEGER NOT NULL, 
	expires_at INTEGER NOT NULL, 
	asked_at INTEGER DEFAULT 0 NOT NULL, 
	busy_until INTEGER DEFAULT 0 NOT NULL, 
	next_look_at INTEGER DEFAULT 0 NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(connection_no) REFERENCES connection (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE INDEX bank_link_owner ON bank_link (owner_no);
CREATE INDEX bank_link_connection ON bank_link (connection_no);
CREATE TABLE tx (
	no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	owner_no INTEGER NOT NULL, 
	account_no INTEGER NOT NULL, 
	payee_no INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	amount INTEGER NOT NULL, 
	raw TEXT NOT NULL, 
	external_id VARCHAR, 
	ordinal INTEGER NOT NULL, 
	source VARCHAR NOT NULL, 
	counts INTEGER NOT NULL, 
	peer_no INTEGER, 
	transfer_no INTEGER, 
	import_no INTEGER, code VARCHAR, filed VARCHAR, folded TEXT, 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE CASCADE, 
	FOREIGN KEY(import_no) REFERENCES import_batch (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE
);
CREATE TABLE pending (
	no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	owner_no INTEGER NOT NULL, 
	account_no INTEGER NOT NULL, 
	payee_no INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	amount INTEGER NOT NULL, 
	raw TEXT NOT NULL, 
	external_id VARCHAR, 
	import_no INTEGER, 
	FOREIGN KEY(account_no) REFERENCES account (no) ON DELETE CASCADE, 
	FOREIGN KEY(import_no) REFERENCES import_batch (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(payee_no) REFERENCES payee (no) ON DELETE CASCADE
);
CREATE TABLE sighting (
	import_no INTEGER NOT NULL, 
	tx_no INTEGER NOT NULL, 
	PRIMARY KEY (import_no, tx_no), 
	FOREIGN KEY(import_no) REFERENCES import_batch (no) ON DELETE CASCADE, 
	FOREIGN KEY(tx_no) REFERENCES tx (no) ON DELETE CASCADE
);
CREATE TABLE transfer (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	out_no INTEGER NOT NULL, 
	in_no INTEGER NOT NULL, 
	counts INTEGER NOT NULL, fee INTEGER DEFAULT 0 NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(in_no) REFERENCES tx (no) ON DELETE CASCADE, 
	FOREIGN KEY(out_no) REFERENCES tx (no) ON DELETE CASCADE, 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	UNIQUE (id)
);
CREATE TABLE single_word (
	no INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	owner_no INTEGER NOT NULL, 
	row_no INTEGER NOT NULL, 
	tx_no INTEGER, 
	category VARCHAR, 
	said_at INTEGER NOT NULL, 
	note TEXT, 
	pending_no INTEGER, tags TEXT, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(row_no) REFERENCES remembered_row (no) ON DELETE CASCADE, 
	FOREIGN KEY(tx_no) REFERENCES tx (no) ON DELETE SET NULL, 
	FOREIGN KEY(pending_no) REFERENCES pending (no) ON DELETE SET NULL
);
CREATE TABLE task_answer (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	task_id VARCHAR NOT NULL, 
	body TEXT NOT NULL, 
	rule_no INTEGER, 
	answered_at INTEGER NOT NULL, 
	word_no INTEGER, 
	"each" INTEGER DEFAULT 0 NOT NULL, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(rule_no) REFERENCES rule (no) ON DELETE CASCADE, 
	FOREIGN KEY(word_no) REFERENCES single_word (no) ON DELETE CASCADE
);
CREATE TABLE word_part (
	no INTEGER NOT NULL, 
	owner_no INTEGER NOT NULL, 
	word_no INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	amount INTEGER NOT NULL, 
	category VARCHAR NOT NULL, 
	note TEXT, 
	PRIMARY KEY (no), 
	FOREIGN KEY(owner_no) REFERENCES person (no) ON DELETE CASCADE, 
	FOREIGN KEY(word_no) REFERENCES single_word (no) ON DELETE CASCADE
);
CREATE INDEX tx_by_day ON tx (owner_no, day, payee_no, amount, counts);
CREATE INDEX tx_by_payee ON tx (owner_no, payee_no, day, amount, counts) WHERE counts = 1;
CREATE UNIQUE INDEX tx_external ON tx (account_no, external_id, day, amount, ordinal) WHERE external_id IS NOT NULL;
CREATE INDEX tx_identity ON tx (account_no, day, amount);
CREATE INDEX tx_import ON tx (import_no) WHERE import_no IS NOT NULL;
CREATE INDEX tx_transfer ON tx (transfer_no) WHERE transfer_no IS NOT NULL;
CREATE INDEX tx_code ON tx (owner_no, payee_no, code) WHERE code IS NOT NULL;
CREATE INDEX tx_filed ON tx (owner_no, payee_no, day, amount, filed, counts, transfer_no) WHERE filed IS NOT NULL;
CREATE INDEX tx_folded ON tx (owner_no) WHERE folded IS NOT NULL;
CREATE INDEX pending_account ON pending (account_no);
CREATE INDEX pending_owner ON pending (owner_no);
CREATE INDEX sighting_tx ON sighting (tx_no);
CREATE UNIQUE INDEX transfer_in ON transfer (in_no);
CREATE UNIQUE INDEX transfer_out ON transfer (out_no);
CREATE INDEX transfer_owner ON transfer (owner_no);
CREATE UNIQUE INDEX single_word_id ON single_word (owner_no, id);
CREATE UNIQUE INDEX single_word_tx ON single_word (tx_no);
CREATE UNIQUE INDEX single_word_pending ON single_word (pending_no);
CREATE INDEX task_answer_task ON task_answer (owner_no, task_id);
CREATE UNIQUE INDEX word_part_word ON word_part (word_no, place);
CREATE INDEX word_part_owner ON word_part (owner_no, word_no, amount, category);
CREATE INDEX transfer_fee ON transfer (owner_no) WHERE fee > 0;
INSERT INTO alembic_version VALUES ('0031')
