# PGXS knows it only later: this directory, also when built in another one.
srcdir := $(or $(VPATH),$(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST)))))

EXTENSION = uidext
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" '$(srcdir)/uidext.control')

# The SQL edition, which has no module, is made with EDITION=portable.
EDITION ?= c
ifeq ($(EDITION), c)
MODULE_big = uidext
OBJS = $(patsubst $(srcdir)/%.c,%.o,$(wildcard $(srcdir)/src/*.c $(srcdir)/src/schemes/*.c))
endif
# not PG_CFLAGS, which bitcode is compiled without
PG_CPPFLAGS = -DUIDEXT_VERSION='"$(EXTVERSION)"'

# The install script, in the order of what needs what.
SQL_PARTS = prologue uuidv7 comb short_comb gregorian iuid inspect recent mysql sqlserver ordered_uuid \
	baseconv encrypt typeid encode uid_schemes uid_bits uid \
	boundary predicates minmax ulid ulid_predicates safe_boundary partman routing registry iso_3166 \
	citus partition partition_template partition_create partition_list partition_drop partition_detach \
	partition_move partition_maintain partition_drain partition_check iuid_partition time_buckets key_report
# those of them that only sql/portable has
PORTABLE_ONLY = baseconv uid_schemes uid_bits
# and those that are of no use without operator classes
C_ONLY = iuid_partition
PORTABLE_PARTS = $(filter-out $(C_ONLY),$(SQL_PARTS))
C_SQL = $(patsubst %,sql/%.sql,$(filter-out $(PORTABLE_ONLY),$(SQL_PARTS)))
EXTENSION_SQL = $(if $(MODULE_big),sql,sql/portable)/$(EXTENSION)--$(EXTVERSION).sql
DATA = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/sql/$(EXTENSION)--*--*.sql))
DATA_built = $(EXTENSION_SQL)
EXTRA_CLEAN = $(EXTENSION_SQL) test/results test/regression.diffs test/regression.out

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
$(shell mkdir -p src/schemes sql/portable test)
endif

# 15 shares every symbol of a module with all others: keep ours our own.
ifeq ($(PORTNAME)-$(MAJORVERSION), linux-15)
SHLIB_LINK += -Wl,-Bsymbolic
endif

sql/$(EXTENSION)--$(EXTVERSION).sql: $(C_SQL)
	awk 'FNR == 1 && NR > 1 { print "" } 1' $^ >$@

PORTABLE = '$(srcdir)/script/portable'

sql/portable/$(EXTENSION)--$(EXTVERSION).sql: $(C_SQL) $(filter-out %--$(EXTVERSION).sql,$(wildcard $(srcdir)/sql/portable/*.sql)) script/portable
	$(PORTABLE) $(PORTABLE_PARTS) >$@

# The SQL edition for psql, where no file can be put on the server.
.PHONY: portable
portable:
	@mkdir -p dist
	@$(PORTABLE) --install $(PORTABLE_PARTS) >$(BUNDLE)-portable.sql
	@$(PORTABLE) --uninstall $(PORTABLE_PARTS) >$(BUNDLE)-portable-uninstall.sql
	@ls $(BUNDLE)-portable*.sql

$(OBJS) $(OBJS:.o=.bc): $(wildcard $(srcdir)/src/*.h $(srcdir)/src/schemes/*.h) uidext.control

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
