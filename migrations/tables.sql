CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)

CREATE TABLE journal (
	seq INTEGER NOT NULL, 
	payload TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	said TEXT NOT NULL, 
	CONSTRAINT pk_journal PRIMARY KEY (seq)
)

CREATE TABLE die_rolls (
	seq INTEGER NOT NULL, 
	date TEXT NOT NULL, 
	rule TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	dice TEXT NOT NULL, 
	modifiers TEXT NOT NULL, 
	original INTEGER NOT NULL, 
	final INTEGER NOT NULL, 
	"row" TEXT NOT NULL, 
	CONSTRAINT pk_die_rolls PRIMARY KEY (seq), 
	CONSTRAINT fk_die_rolls_seq_journal FOREIGN KEY(seq) REFERENCES journal (seq)
)

CREATE TABLE campaign (
	id TEXT NOT NULL, 
	cg TEXT NOT NULL, 
	name TEXT, 
	phase VARCHAR(8) NOT NULL, 
	date TEXT NOT NULL, 
	ended TEXT, 
	initial INTEGER NOT NULL CONSTRAINT ck_campaign_initial CHECK (initial IN (0, 1)), 
	paragraph TEXT, 
	done TEXT, 
	winner VARCHAR(8), 
	moved_first VARCHAR(8), 
	first_setup VARCHAR(8), 
	first_move VARCHAR(8), 
	turns TEXT, 
	massacre INTEGER NOT NULL CONSTRAINT ck_campaign_massacre CHECK (massacre IN (0, 1)), 
	nights_without_scenario INTEGER NOT NULL, 
	pillbox_vp INTEGER NOT NULL, 
	banzai INTEGER CONSTRAINT ck_campaign_banzai CHECK (banzai IN (0, 1)), 
	perimeters TEXT NOT NULL, 
	buying TEXT NOT NULL, 
	victor VARCHAR(8), pillbox_vp_so_far INTEGER, said_winner VARCHAR(8) CONSTRAINT ck_campaign_said_winner CHECK (said_winner IN ('marine', 'japanese')), overruled TEXT, "key" TEXT, 
	CONSTRAINT pk_campaign PRIMARY KEY (id), 
	CONSTRAINT ck_campaign_phase CHECK (phase IN ('purchase', 'scenario', 'refit', 'setup', 'over')), 
	CONSTRAINT ck_campaign_winner CHECK (winner IN ('marine', 'japanese')), 
	CONSTRAINT ck_campaign_moved_first CHECK (moved_first IN ('marine', 'japanese')), 
	CONSTRAINT ck_campaign_first_setup CHECK (first_setup IN ('marine', 'japanese')), 
	CONSTRAINT ck_campaign_first_move CHECK (first_move IN ('marine', 'japanese')), 
	CONSTRAINT ck_campaign_victor CHECK (victor IN ('marine', 'japanese'))
)

CREATE TABLE sides (
	id TEXT NOT NULL, 
	player TEXT, 
	san INTEGER NOT NULL, 
	announced_san INTEGER NOT NULL, 
	elr INTEGER NOT NULL, 
	cvp INTEGER NOT NULL, 
	cvp_before INTEGER NOT NULL, 
	CONSTRAINT pk_sides PRIMARY KEY (id)
)

CREATE TABLE setup_areas (
	id TEXT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	hexes TEXT NOT NULL, 
	CONSTRAINT pk_setup_areas PRIMARY KEY (id), 
	CONSTRAINT ck_setup_areas_side CHECK (side IN ('marine', 'japanese'))
)

CREATE TABLE units (
	id TEXT NOT NULL, 
	location TEXT, 
	fate VARCHAR(10) NOT NULL, 
	became TEXT, 
	name TEXT, 
	purchase TEXT, 
	unseen INTEGER NOT NULL CONSTRAINT ck_units_unseen CHECK (unseen IN (0, 1)), 
	side VARCHAR(8) NOT NULL, 
	status TEXT NOT NULL, 
	setup_area TEXT, 
	isolated INTEGER NOT NULL CONSTRAINT ck_units_isolated CHECK (isolated IN (0, 1)), 
	recorded_location TEXT, 
	kind VARCHAR(12) NOT NULL, 
	type TEXT NOT NULL, 
	class VARCHAR(11), 
	strength VARCHAR(7) NOT NULL, 
	traits TEXT NOT NULL, 
	aboard TEXT, 
	guard TEXT, 
	CONSTRAINT pk_units PRIMARY KEY (id), 
	CONSTRAINT ck_units_fate CHECK (fate IN ('in_play', 'eliminated', 'captured', 'recombined', 'crewed')), 
	CONSTRAINT ck_units_side CHECK (side IN ('marine', 'japanese')), 
	CONSTRAINT ck_units_kind CHECK (kind IN ('squad', 'half_squad', 'crew', 'vehicle_crew', 'leader', 'hero', 'pathfinder')), 
	CONSTRAINT ck_units_class CHECK (class IN ('elite', 'first_line', 'second_line', 'green', 'conscript')), 
	CONSTRAINT ck_units_strength CHECK (strength IN ('full', 'reduced'))
)

CREATE TABLE fortifications (
	id TEXT NOT NULL, 
	location TEXT, 
	fate VARCHAR(10) NOT NULL, 
	became TEXT, 
	name TEXT, 
	purchase TEXT, 
	unseen INTEGER NOT NULL CONSTRAINT ck_fortifications_unseen CHECK (unseen IN (0, 1)), 
	side VARCHAR(8) NOT NULL, 
	type TEXT NOT NULL, 
	exit TEXT, 
	covered_arc TEXT NOT NULL, 
	hidden INTEGER NOT NULL CONSTRAINT ck_fortifications_hidden CHECK (hidden IN (0, 1)), 
	capacity INTEGER, 
	ca_tem INTEGER, 
	nca_tem INTEGER, 
	controller VARCHAR(8), fell TEXT, 
	CONSTRAINT pk_fortifications PRIMARY KEY (id), 
	CONSTRAINT ck_fortifications_fate CHECK (fate IN ('in_play', 'eliminated', 'captured', 'recombined', 'crewed')), 
	CONSTRAINT ck_fortifications_side CHECK (side IN ('marine', 'japanese')), 
	CONSTRAINT ck_fortifications_controller CHECK (controller IN ('marine', 'japanese'))
)

CREATE TABLE terrain (
	id TEXT NOT NULL, 
	location TEXT, 
	fate VARCHAR(10) NOT NULL, 
	became TEXT, 
	name TEXT, 
	purchase TEXT, 
	unseen INTEGER NOT NULL CONSTRAINT ck_terrain_unseen CHECK (unseen IN (0, 1)), 
	kind VARCHAR(15) NOT NULL, 
	material VARCHAR(5), 
	building TEXT, 
	fire VARCHAR(5), 
	CONSTRAINT pk_terrain PRIMARY KEY (id), 
	CONSTRAINT ck_terrain_fate CHECK (fate IN ('in_play', 'eliminated', 'captured', 'recombined', 'crewed')), 
	CONSTRAINT ck_terrain_kind CHECK (kind IN ('building', 'wooden_rubble', 'stone_rubble', 'collapsed_tower', 'obstacle')), 
	CONSTRAINT ck_terrain_material CHECK (material IN ('wood', 'stone')), 
	CONSTRAINT ck_terrain_fire CHECK (fire IN ('flame', 'blaze'))
)

CREATE TABLE purchases (
	id TEXT NOT NULL, 
	date TEXT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	beach TEXT, 
	points TEXT NOT NULL, 
	item TEXT NOT NULL, 
	quantity INTEGER NOT NULL, 
	unit_cost INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	exponent INTEGER NOT NULL, 
	location TEXT, 
	exit TEXT, 
	covered_arc TEXT NOT NULL, 
	capacity INTEGER NOT NULL, 
	entered_by TEXT, 
	entered_at TEXT, 
	initial INTEGER NOT NULL CONSTRAINT ck_purchases_initial CHECK (initial IN (0, 1)), 
	draft INTEGER NOT NULL CONSTRAINT ck_purchases_draft CHECK (draft IN (0, 1)), 
	voids TEXT, 
	reason TEXT, 
	created TEXT NOT NULL, 
	CONSTRAINT pk_purchases PRIMARY KEY (id), 
	CONSTRAINT ck_purchases_side CHECK (side IN ('marine', 'japanese'))
)

CREATE TABLE allotments (
	id TEXT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	beach TEXT, 
	date TEXT, 
	gpp INTEGER NOT NULL, 
	capp INTEGER NOT NULL, 
	exponent INTEGER NOT NULL, 
	fpp INTEGER NOT NULL, 
	credited INTEGER NOT NULL CONSTRAINT ck_allotments_credited CHECK (credited IN (0, 1)), 
	CONSTRAINT pk_allotments PRIMARY KEY (id), 
	CONSTRAINT ck_allotments_side CHECK (side IN ('marine', 'japanese'))
)

CREATE TABLE rulings (
	id TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_rulings PRIMARY KEY (id)
)

CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'entries are only ever added to the journal'); END

CREATE TRIGGER journal_refuses_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'entries are only ever added to the journal'); END

CREATE TRIGGER journal_refuses_disorder BEFORE INSERT ON journal WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal) BEGIN SELECT RAISE(ABORT, 'entries are only ever added to the journal'); END

CREATE TABLE "weapons" (
	id TEXT NOT NULL, 
	location TEXT, 
	fate VARCHAR(10) NOT NULL, 
	became TEXT, 
	name TEXT, 
	purchase TEXT, 
	unseen INTEGER NOT NULL CONSTRAINT ck_weapons_unseen CHECK (unseen IN (0, 1)), 
	side VARCHAR(8) NOT NULL, 
	status TEXT NOT NULL, 
	setup_area TEXT, 
	isolated INTEGER NOT NULL CONSTRAINT ck_weapons_isolated CHECK (isolated IN (0, 1)), 
	recorded_location TEXT, 
	kind VARCHAR(9) NOT NULL, 
	type TEXT NOT NULL, 
	nation VARCHAR(8) NOT NULL, 
	possessor TEXT, 
	vehicle TEXT, 
	main_armament INTEGER NOT NULL CONSTRAINT ck_weapons_main_armament CHECK (main_armament IN (0, 1)), 
	repair_number INTEGER, 
	pp INTEGER, 
	depleted TEXT NOT NULL, 
	non_qualified_use_only INTEGER NOT NULL CONSTRAINT ck_weapons_non_qualified_use_only CHECK (non_qualified_use_only IN (0, 1)), 
	CONSTRAINT pk_weapons PRIMARY KEY (id), 
	CONSTRAINT ck_weapons_fate CHECK (fate IN ('in_play', 'eliminated', 'captured', 'recombined', 'crewed')), 
	CONSTRAINT ck_weapons_side CHECK (side IN ('marine', 'japanese')), 
	CONSTRAINT ck_weapons_kind CHECK (kind IN ('sw', 'gun', 'vehicular')), 
	CONSTRAINT ck_weapons_nation CHECK (nation IN ('marine', 'japanese'))
)

CREATE TABLE "vehicles" (
	id TEXT NOT NULL, 
	location TEXT, 
	fate VARCHAR(10) NOT NULL, 
	became TEXT, 
	name TEXT, 
	purchase TEXT, 
	unseen INTEGER NOT NULL CONSTRAINT ck_vehicles_unseen CHECK (unseen IN (0, 1)), 
	side VARCHAR(8) NOT NULL, 
	status TEXT NOT NULL, 
	setup_area TEXT, 
	isolated INTEGER NOT NULL CONSTRAINT ck_vehicles_isolated CHECK (isolated IN (0, 1)), 
	recorded_location TEXT, 
	type TEXT NOT NULL, 
	nation VARCHAR(8) NOT NULL, 
	armored INTEGER NOT NULL CONSTRAINT ck_vehicles_armored CHECK (armored IN (0, 1)), 
	best_af INTEGER, 
	armor_leader TEXT, 
	pathfinder VARCHAR(10) NOT NULL, 
	amphibious INTEGER CONSTRAINT ck_vehicles_amphibious CHECK (amphibious IN (0, 1)), 
	inherent_crew INTEGER NOT NULL CONSTRAINT ck_vehicles_inherent_crew CHECK (inherent_crew IN (0, 1)), 
	crew_survival INTEGER, 
	bulldozer INTEGER NOT NULL CONSTRAINT ck_vehicles_bulldozer CHECK (bulldozer IN (0, 1)), 
	non_qualified_use_only INTEGER NOT NULL CONSTRAINT ck_vehicles_non_qualified_use_only CHECK (non_qualified_use_only IN (0, 1)), 
	cvp INTEGER NOT NULL, 
	CONSTRAINT pk_vehicles PRIMARY KEY (id), 
	CONSTRAINT ck_vehicles_fate CHECK (fate IN ('in_play', 'eliminated', 'captured', 'recombined', 'crewed')), 
	CONSTRAINT ck_vehicles_side CHECK (side IN ('marine', 'japanese')), 
	CONSTRAINT ck_vehicles_nation CHECK (nation IN ('marine', 'japanese')), 
	CONSTRAINT ck_vehicles_pathfinder CHECK (pathfinder IN ('good_order', 'wounded', 'none'))
)

CREATE TABLE arrivals (
	id TEXT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	date TEXT NOT NULL, 
	wave TEXT, 
	lines TEXT NOT NULL, 
	state TEXT NOT NULL, 
	entered INTEGER NOT NULL CONSTRAINT ck_arrivals_entered CHECK (entered IN (0, 1)), turn INTEGER, formations TEXT, entry_area TEXT, 
	CONSTRAINT pk_arrivals PRIMARY KEY (id), 
	CONSTRAINT ck_arrivals_side CHECK (side IN ('marine', 'japanese'))
)

CREATE TABLE casualties (
	id TEXT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	points INTEGER NOT NULL, 
	how VARCHAR(10) NOT NULL, 
	counter TEXT, 
	date TEXT, 
	rule TEXT NOT NULL, 
	ruling TEXT, 
	reason TEXT, 
	secret VARCHAR(8), 
	open INTEGER NOT NULL CONSTRAINT ck_casualties_open CHECK (open IN (0, 1)), 
	CONSTRAINT pk_casualties PRIMARY KEY (id), 
	CONSTRAINT ck_casualties_side CHECK (side IN ('marine', 'japanese')), 
	CONSTRAINT ck_casualties_how CHECK (how IN ('eliminated', 'reduced', 'captured', 'crew', 'massacred', 'prisoner', 'held', 'freed', 'revived', 'stated')), 
	CONSTRAINT ck_casualties_secret CHECK (secret IN ('marine', 'japanese'))
)

INSERT INTO alembic_version (version_num) VALUES ('0006')
