## make                      the extension, for the server of PG_CONFIG; EDITION=portable: the SQL edition
## make install              into that server
## make installcheck         pg_regress on a running server that has it
## make prove_installcheck   TAP tests with servers of their own, as a user that is not root; PROVE_TESTS=t/base/fork.pl
## make check                build, unit, regress, pgtap on a throwaway server; installs what is missing
## make portable             the SQL edition for psql, in dist/
## make print-sql            the install script, as its parts make it
## make bench ARGS=--quick   measures; bench/README.md
## make dist                 what is committed, as PGXN wants it
##
## script/demo shows it, script/test runs all suites, and script/ has what wants a machine.

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
# sorted, as the directory may not be
SOURCES = $(sort $(wildcard $(srcdir)/src/*.c $(srcdir)/src/*/*.c $(srcdir)/src/*/*/*.c))
MODULE_big = uidext
OBJS = $(patsubst $(srcdir)/%.c,%.o,$(SOURCES))
endif
# not PG_CFLAGS, which bitcode is compiled without
PG_CPPFLAGS = -I'$(srcdir)/src' -DUIDEXT_VERSION='"$(EXTVERSION)"'

# The install script, in the order of what needs what.  Files of portable/ are
# the SQL edition's alone, in the place of files of C; sql/edition.awk picks an
# edition's part of the others.  portable/uid_scheme_list is no file: sql/schemes.awk
# makes it of the table of schemes, which is C's.
SQL_PARTS = prologue families/batches portable/layout families/uuidv7 families/comb families/short_comb families/gregorian \
	portable/registry families/iuid families/iuid_order forms/mysql forms/sqlserver forms/inspect forms/validate \
	families/recent families/laravel_uuid portable/baseconv forms/encrypt forms/typeid forms/encode \
	elsewhere/as_uuid portable/uid_scheme_list portable/uid_schemes portable/uid_bits \
	elsewhere/uid elsewhere/uid_convert elsewhere/uid_inspect \
	time/boundary time/predicates forms/minmax families/ulid families/ulid_order time/ulid_predicates time/safe_boundary \
	partitions/partman countries/routing countries/registry countries/iso_3166 \
	$(addprefix partitions/,calendar makers key owner names sizes model family commands by_oid dependents obstacles holders plan locks begin execute) \
	$(addprefix partitions/,create drop maintain follow drain list check iuid_partition) keys/key_report keys/key_ranges
SCHEME_TABLE = $(addprefix src/pure/,base32.h baseconv.h schemes/scheme.h schemes/table.c)
SCHEME_LIST = sql/portable/uid_scheme_list.sql
PORTABLE_SQL = $(patsubst %,sql/%.sql,$(SQL_PARTS))
C_SQL = $(filter-out sql/portable/%,$(PORTABLE_SQL))
SQL_DIR = $(if $(MODULE_big),sql,sql/portable)
EXTENSION_SQL = $(SQL_DIR)/$(EXTENSION)--$(EXTVERSION).sql
DATA = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/$(SQL_DIR)/$(EXTENSION)--*--*.sql))
DATA_built = $(EXTENSION_SQL)
RECIPES := $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/doc/recipes/*.psql))
# a copy of the tree may be without documents
ifneq ($(RECIPES),)
DOCS = $(RECIPES)
endif
EXTRA_CLEAN = sql/$(EXTENSION)--$(EXTVERSION).sql sql/portable/$(EXTENSION)--$(EXTVERSION).sql
EXTRA_CLEAN += test/results test/regression.diffs test/regression.out test/tmp_check

# what the SQL edition cannot hold
SKIPPED = $(if $(MODULE_big),,$(shell sed -n 's,^regress/\([a-z0-9_]*\) .*,\1,p' '$(srcdir)/test/portable.skip'))
REGRESS = $(filter-out $(SKIPPED),$(patsubst $(srcdir)/test/sql/%.sql,%,$(wildcard $(srcdir)/test/sql/*.sql)))
# Not the top directory, whose sql/ would be taken for the tests'.
REGRESS_OPTS = --inputdir=$(srcdir)/test --outputdir=test --encoding=UTF8 --load-extension=$(EXTENSION)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
# which has a target check of its own, that only says no
ifeq ($(MAKECMDGOALS), check)
.PHONY: check
check:
	'$(srcdir)/script/test' build unit regress pgtap
else
include $(PGXS)
endif

# A directory of their own: recipes read one another.
docmoduledir = $(EXTENSION)

ifdef VPATH
$(shell mkdir -p $(sort $(dir $(OBJS))) sql/portable test)
endif

# 15 shares every symbol of a module with all others; later ones hide what SQL does not call.
ifeq ($(PORTNAME)-$(MAJORVERSION), linux-15)
SHLIB_LINK += -Wl,--version-script='$(srcdir)/src/exports.map'
endif

PICK_EDITION = awk -f '$(srcdir)/sql/edition.awk' -v edition=
in_srcdir = $(addprefix '$(srcdir)'/,$(1))
PRINT_C = $(PICK_EDITION)c $(call in_srcdir,$(C_SQL))
PRINT_PORTABLE = list=$$(awk -f $(call in_srcdir,sql/schemes.awk $(SCHEME_TABLE))) && \
	printf '%s\n' "$$list" | $(PICK_EDITION)sql $(patsubst %/$(SCHEME_LIST),-,$(call in_srcdir,$(PORTABLE_SQL)))

sql/$(EXTENSION)--$(EXTVERSION).sql: $(C_SQL) sql/edition.awk
	$(PRINT_C) >$@

sql/portable/$(EXTENSION)--$(EXTVERSION).sql: $(filter-out $(SCHEME_LIST),$(PORTABLE_SQL)) $(SCHEME_TABLE) $(wildcard $(srcdir)/sql/*.awk)
	$(PRINT_PORTABLE) >$@

# What the parts make.
.PHONY: print-sql
print-sql:
	@$(if $(MODULE_big),$(PRINT_C),$(PRINT_PORTABLE))

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

# Scripts of the versions that were installed before this one, and recipes, which
# PGXS looks for in the folders where they came from.
uninstall: uninstall-older

.PHONY: uninstall-older
uninstall-older:
	rm -f '$(DESTDIR)$(datadir)/extension/$(EXTENSION)--'*.sql
	rm -f '$(DESTDIR)$(docdir)/$(docmoduledir)/'*.psql

# Only what is committed; .gitattributes names what stays out.  The clone may be
# another user's.
BUNDLE = dist/$(EXTENSION)-$(EXTVERSION)

.PHONY: dist
dist:
	@mkdir -p dist
	@TZ=UTC git -c safe.directory='*' archive --format=zip --prefix=$(notdir $(BUNDLE))/ -o $(BUNDLE).zip HEAD
	@echo $(BUNDLE).zip

# On a throwaway cluster; ARGS=--quick for a first look.
.PHONY: bench
bench:
	'$(srcdir)/bench/run' $(ARGS)

# TAP tests of the server that has the extension installed; some want script/test.
.PHONY: prove_installcheck
prove_installcheck:
	rm -rf test/tmp_check
	cd '$(srcdir)/test' && TESTDIR='$(CURDIR)/test' TESTDATADIR='$(CURDIR)/test/tmp_check' \
		TESTLOGDIR='$(CURDIR)/test/tmp_check/log' PATH='$(bindir)':"$$PATH" PERL5LIB='$(dir $(PGXS))../test/perl' \
		PG_REGRESS='$(dir $(PGXS))../test/regress/pg_regress' prove --norc --failures $(or $(PROVE_TESTS),t/*/*.pl)

.PHONY: help
help:
	@sed -n 's/^## //p' '$(srcdir)/Makefile'
