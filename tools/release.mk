# release.mk -- the C library installed, and what a release consists of, for the Makefile.

.PHONY: may-install-c install-c uninstall-c dist

# -- The C library ----------------------------------------------------------------------

INCLUDEDIR = $(PREFIX)/include
LIBDIR = $(PREFIX)/lib
BINDIR = $(PREFIX)/bin

# 1.0.0 of 1.0.0-rc: libraries and their names know no candidates. 1.0 is what programs are bound to, as a
# struct of options may grow with the second number.
NUMBER := $(firstword $(subst -, ,$(VERSION)))
SERIES := $(basename $(NUMBER))

ifneq ($(is_windows),)
SHARED_NAME = libastar-$(SERIES).dll
SHARED_FLAGS = -static-libgcc -Wl,--out-implib,$(@D)/libastar.dll.a,--no-insert-timestamp
else ifneq ($(findstring darwin,$(target)),)
SHARED_NAME = libastar.$(SERIES).dylib
SHARED_LINKS = libastar.dylib
SHARED_FLAGS = -install_name $(LIBDIR)/$(SHARED_NAME) -current_version $(NUMBER) -compatibility_version $(SERIES)
else
SHARED_NAME = libastar.so.$(NUMBER)
SHARED_LINKS = libastar.so.$(SERIES) libastar.so
SHARED_FLAGS = -pthread -Wl,-soname,libastar.so.$(SERIES)
endif
SHARED_LIBRARY = $(CORE_BUILD)/$(SHARED_NAME)

# Made of the one file, with what ASTAR_API marks shown, so that the objects of libastar.a need not serve both.
$(SHARED_LIBRARY): $(LIBRARY) tools/release.mk
	@$(call making,ld,$@)$(call amalgamate,$(CORE_BUILD)/amalgamation)
	@$$(sed 's: -Isrc$$::' $(CORE_BUILD)/compile) -DASTAR_BUILD_SHARED -Wno-shadow -MF /dev/null -shared \
		$(SHARED_FLAGS) -o $@ $(CORE_BUILD)/amalgamation/astar.c $(LINK_FLAGS) -lm

# Where the project is at home, for pkg-config and a rockspec. It has no address until it is given one.
HOMEPAGE ?=

$(CORE_BUILD)/astar.pc: FORCE | $(CORE_BUILD)/compile
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)' \
		'libdir=$(LIBDIR:$(PREFIX)/%=$${prefix}/%)' '' 'Name: astar' 'Description: Shortest paths on grids' \
		$(if $(HOMEPAGE),'URL: $(HOMEPAGE)') 'Version: $(VERSION)' 'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lastar' \
		'Libs.private: -lm$(if $(is_windows),, -pthread)' >$@

to_include = $(DESTDIR)$(INCLUDEDIR)
to_lib = $(DESTDIR)$(LIBDIR)
to_shared = $(DESTDIR)$(if $(is_windows),$(BINDIR),$(LIBDIR))

may-install-c:
	@sh tools/install.sh check install-c '$(to_include)' '$(to_lib)' '$(to_shared)'

install-c: may-install-c $(LIBRARY) $(SHARED_LIBRARY) $(CORE_BUILD)/astar.pc ## Install astar.h, libastar and astar.pc [PREFIX=] [DESTDIR=]
	@echo "installing to $(to_include) and $(to_lib)"
	@mkdir -p '$(to_include)' '$(to_lib)/pkgconfig' '$(to_shared)'
	@install -m 644 $(CORE_BUILD)/amalgamation/astar.h '$(to_include)'
	@install -m 644 $(LIBRARY) '$(to_lib)'
	@install -m 755 $(SHARED_LIBRARY) '$(to_shared)'
	@$(if $(is_windows),install -m 644 $(CORE_BUILD)/libastar.dll.a '$(to_lib)',:)
	@for link in $(SHARED_LINKS); do ln -sf $(SHARED_NAME) '$(to_lib)'/$$link || exit 1; done
	@install -m 644 $(CORE_BUILD)/astar.pc '$(to_lib)/pkgconfig'

uninstall-c: ## Remove what install-c with the same PREFIX and DESTDIR put there
	@rm -f '$(to_include)/astar.h' '$(to_lib)/pkgconfig/astar.pc' '$(to_shared)/$(SHARED_NAME)' \
		$(foreach file,libastar.a libastar.dll.a $(SHARED_LINKS),'$(to_lib)/$(file)')

# -- Releases ---------------------------------------------------------------------------

# The manual has the playground in it, which comes first.
PAGES = playground manual

dist: ## Put a release together in build/dist: sources, a rock, LÖVE, Defold, the manual, see tools/dist.sh [PAGES=]
	@$(MAKE) all LUA=luajit SANITIZE=
	@$(MAKE) windows WINDOWS_LUAS=luajit
	@$(MAKE) -s amalgamation
	@HOMEPAGE='$(HOMEPAGE)' PAGES='$(PAGES)' LUA_PROGRAM="$$($(NEED) interpreter)" WINDOWS_STRIP=$(WINDOWS_CC:gcc=strip) sh tools/dist.sh build/dist $(VERSION)
