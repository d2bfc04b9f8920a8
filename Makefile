# PGXS knows it only later: this directory, also when built in another one.
srcdir := $(or $(VPATH),$(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST)))))
# A server that was configured in its own source tree lacks this in PGXS.
ifneq ($(srcdir),.)
VPATH := $(srcdir)
endif

EXTENSION = uidext
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" '$(srcdir)/uidext.control')

# The SQL edition, which has no module, is made with EDITION=portable.
EDITION ?= c
ifeq ($(EDITION), c)
SOURCES = $(wildcard $(srcdir)/src/*.c $(srcdir)/src/*/*.c $(srcdir)/src/*/*/*.c)
MODULE_big = uidext
OBJS = $(patsubst $(srcdir)/%.c,%.o,$(SOURCES))
endif
# not PG_CFLAGS, which bitcode is compiled without
PG_CPPFLAGS = -I'$(srcdir)/src' -DUIDEXT_VERSION='"$(EXTVERSION)"'

# The install script, in the order of what needs what.  Files of portable/ are
# the SQL edition's alone, in the place of files of C; sql/edition.awk picks an
# edition's part of the others.
SQL_PARTS = prologue portable/layout families/uuidv7 families/comb families/short_comb families/gregorian \
	portable/registry families/iuid families/iuid_order forms/mysql forms/sqlserver forms/inspect forms/validate \
	families/recent families/laravel_uuid portable/baseconv forms/encrypt forms/typeid forms/encode \
	portable/uid_schemes portable/uid_bits elsewhere/uid elsewhere/uid_convert elsewhere/uid_inspect \
	time/boundary time/predicates forms/minmax families/ulid time/ulid_predicates time/safe_boundary \
	partitions/partman countries/routing countries/registry countries/iso_3166 partitions/citus \
	partitions/partition_calendar partitions/partition_key partitions/partition_lock partitions/partition_make \
	partitions/partition_order partitions/partition_template partitions/partition_create partitions/partition_list \
	partitions/partition_drop partitions/partition_follow partitions/partition_maintain partitions/partition_drain \
	partitions/partition_check partitions/iuid_partition keys/key_report keys/key_ranges
PORTABLE_SQL = $(patsubst %,sql/%.sql,$(SQL_PARTS))
C_SQL = $(filter-out sql/portable/%,$(PORTABLE_SQL))
SQL_DIR = $(if $(MODULE_big),sql,sql/portable)
EXTENSION_SQL = $(SQL_DIR)/$(EXTENSION)--$(EXTVERSION).sql
DATA = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/$(SQL_DIR)/$(EXTENSION)--*--*.sql))
DATA_built = $(EXTENSION_SQL)
EXTRA_CLEAN = sql/$(EXTENSION)--$(EXTVERSION).sql sql/portable/$(EXTENSION)--$(EXTVERSION).sql
EXTRA_CLEAN += test/results test/regression.diffs test/regression.out

# what the SQL edition cannot hold
SKIPPED = $(if $(MODULE_big),,$(shell sed -n 's,^regress/\([a-z_]*\) .*,\1,p' '$(srcdir)/test/portable.skip'))
REGRESS = $(filter-out $(SKIPPED),$(patsubst $(srcdir)/test/sql/%.sql,%,$(wildcard $(srcdir)/test/sql/*.sql)))
# Not the top directory, whose sql/ would be taken for the tests'.  test/expected
# is a link, because 15 knows no other way to expected/.
REGRESS_OPTS = --inputdir=$(srcdir)/test --outputdir=test --encoding=UTF8 --load-extension=$(EXTENSION)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

ifdef VPATH
$(shell mkdir -p $(sort $(dir $(OBJS))) sql/portable test)
endif

# 15 shares every symbol of a module with all others; later ones hide what SQL does not call.
ifeq ($(PORTNAME)-$(MAJORVERSION), linux-15)
SHLIB_LINK += -Wl,--version-script='$(srcdir)/src/exports.map'
endif

PICK_EDITION = awk -f '$(srcdir)/sql/edition.awk' -v edition=

sql/$(EXTENSION)--$(EXTVERSION).sql: $(C_SQL) sql/edition.awk
	$(PICK_EDITION)c $(filter %.sql,$^) >$@

sql/portable/$(EXTENSION)--$(EXTVERSION).sql: $(PORTABLE_SQL) sql/edition.awk
	$(PICK_EDITION)sql $(filter %.sql,$^) >$@

# What the parts make.
.PHONY: print-sql
print-sql:
	@$(PICK_EDITION)$(if $(MODULE_big),c,sql) $(addprefix '$(srcdir)'/,$(if $(MODULE_big),$(C_SQL),$(PORTABLE_SQL)))

# The SQL edition for psql, where no file can be put on the server, with every
# step that leads here from an earlier version.
PORTABLE_UPDATES = $(patsubst sql/portable/$(EXTENSION)--%.sql,dist/$(EXTENSION)-%-portable.sql, \
	$(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/sql/portable/$(EXTENSION)--*--*.sql)))

.PHONY: portable
portable: dist/$(EXTENSION)-$(EXTVERSION)-portable.sql dist/$(EXTENSION)-$(EXTVERSION)-portable-uninstall.sql $(PORTABLE_UPDATES)
	@ls $^

CONTROL_COMMENT = $(shell sed -n "s/^comment = '\(.*\)'/\1/p" '$(srcdir)/uidext.control')
FILL_IN = sed -e 's|@version@|$(EXTVERSION)|g' -e 's|@comment@|$(CONTROL_COMMENT)|'

dist/$(EXTENSION)-$(EXTVERSION)-portable.sql: sql/portable/install.psql sql/portable/$(EXTENSION)--$(EXTVERSION).sql uidext.control
	@mkdir -p dist
	@$(FILL_IN) -e '/^@script@$$/{' -e 'r $(word 2,$^)' -e 'd' -e '}' $< >$@

# % is OLD--NEW
dist/$(EXTENSION)-%-portable.sql: sql/portable/update.psql sql/portable/$(EXTENSION)--%.sql
	@mkdir -p dist
	@sed -e 's|@old@|$(firstword $(subst --, ,$*))|g' -e 's|@version@|$(lastword $(subst --, ,$*))|g' \
		-e '/^@script@$$/{' -e 'r $(word 2,$^)' -e 'd' -e '}' $< >$@

dist/$(EXTENSION)-$(EXTVERSION)-portable-uninstall.sql: sql/portable/uninstall.psql uidext.control
	@mkdir -p dist
	@$(FILL_IN) $< >$@

$(OBJS) $(OBJS:.o=.bc): $(wildcard $(srcdir)/src/*/*.h $(srcdir)/src/*/*/*.h) uidext.control

# uidext.control alone states the version.
META.json: uidext.control
	sed -i '/meta-spec/!s/\("version": "\)[^"]*/\1$(EXTVERSION)/' $@

# Scripts of the versions that were installed before this one.
uninstall: uninstall-older

.PHONY: uninstall-older
uninstall-older:
	rm -f '$(DESTDIR)$(datadir)/extension/$(EXTENSION)--'*.sql

# Only what is committed; .gitattributes names what stays out.
BUNDLE = dist/$(EXTENSION)-$(EXTVERSION)

.PHONY: dist
dist:
	@mkdir -p dist
	@git archive --format=zip --prefix=$(notdir $(BUNDLE))/ -o $(BUNDLE).zip HEAD
	@echo $(BUNDLE).zip

# On a throwaway cluster; ARGS=--quick for a first look.
.PHONY: bench
bench:
	bench/run $(ARGS)
