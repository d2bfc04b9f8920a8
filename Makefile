EXTENSION = uidext
EXTVERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" uidext.control)

MODULE_big = uidext
OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c))
# not PG_CFLAGS, which bitcode is compiled without
PG_CPPFLAGS = -DUIDEXT_VERSION='"$(EXTVERSION)"'

EXTENSION_SQL = sql/$(EXTENSION)--$(EXTVERSION).sql
DATA = $(wildcard sql/$(EXTENSION)--*--*.sql)
DATA_built = $(EXTENSION_SQL)
EXTRA_CLEAN = $(EXTENSION_SQL)

REGRESS = $(patsubst test/sql/%.sql,%,$(wildcard test/sql/*.sql))
# 15 looks for expected/ here by itself, later majors have to be told.
REGRESS_OPTS = --inputdir=test $(if $(filter 15,$(MAJORVERSION)),,--expecteddir=.) --encoding=UTF8 --load-extension=$(EXTENSION)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# 15 shares every symbol of a module with all others: keep ours our own.
ifeq ($(PORTNAME)-$(MAJORVERSION), linux-15)
SHLIB_LINK += -Wl,-Bsymbolic
endif

$(EXTENSION_SQL): sql/$(EXTENSION).sql
	cp $< $@

$(OBJS): $(wildcard src/*.h) uidext.control

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
