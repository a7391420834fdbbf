# builds.mk -- the module built otherwise, for the Makefile: for Windows, from one file, for a page.

.PHONY: windows windows-test windows-specs amalgamation amalgamation-check amalgamation-test
.PHONY: playground playground-pictures playground-test playground-check

# -- Windows ----------------------------------------------------------------------------

WINDOWS_CC ?= x86_64-w64-mingw32-gcc
WINDOWS_LUAS = luajit 5.4

# By whole folders, a quarter of the work, for it is made anew each time; a fiftieth larger.
windows: ## Install what is missing, and build core.dll for LuaJIT (LÖVE) and Lua 5.4 by mingw
	@for lua in $(WINDOWS_LUAS); do \
		LUA=$$lua CC='$(WINDOWS_CC)' LUA_INCDIR='$(LUA_INCDIR)' sh tools/need.sh install windows && \
		$(MAKE) all LUA=$$lua CC='$(WINDOWS_CC)' SANITIZE= WHOLE=1 place=build/windows/ || exit 1; \
	done

# Of another system, so it is told where: WINDOWS_LUA=folder/lua.exe, of the version that LUA says. Its busted
# is this system's. Left out are specs of what only a shell or this system does.
WINE ?= wine
WINDOWS_LUA ?=
WINDOWS_SPECS = $(filter-out $(SLOW:%=spec/%_spec.lua) $(STARTERS:%=spec/%_spec.lua) $(SHELL_SPECS:%=spec/%_spec.lua), $(SPECS))
SHELL_SPECS = closing defold docs entries folders fuzz gc_account install_c love/core luas need parts pin require summary tamper twin
ONLY_HERE = --filter-out='a state that closes' --filter-out='refuses the name of a directory' --filter-out='the disk is full' \
	--filter-out='does not exist or is not a map' --filter-out='a state that ends' --filter-out='modules that are loaded on first use' \
	--filter-out='used if the C core is missing' --filter-out='has no second name'
WINDOWS_SPEC ?= $(WINDOWS_SPECS)

windows-test: ## Run specs by a Lua for Windows under wine: make windows-test WINDOWS_LUA=lua.exe [LUA=]
	@if command -v $(firstword $(WINE)) >/dev/null && [ -f '$(WINDOWS_LUA)' ]; then \
		$(MAKE) all SANITIZE= && $(MAKE) windows-specs CC='$(WINDOWS_CC)' SANITIZE= \
			NATIVE="$$($(NEED) interpreter)" HASH="$$($$($(NEED) interpreter) $(ROUTE_HASH) $(BUILD))"; \
	else \
		echo "no $(firstword $(WINE)), or WINDOWS_LUA is no Lua for Windows: skipped"; \
		echo "0 passed, 0 failed, 1 skipped"; \
	fi

ROUTE_HASH = spec/support/route_hash.lua

windows-specs: $(MODULE)
	@hash=$$(WINEDEBUG=-all $(WINE) '$(WINDOWS_LUA)' $(ROUTE_HASH) $(BUILD) | tr -d '\r'); \
	echo "$$hash under $(WINE)"; \
	[ "$$hash" = "$(HASH)" ] || { echo "here it is $(HASH)"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
	@WINEDEBUG=-all $(MAKE) spec SPEC='$(WINDOWS_SPEC)' WRAP='$(WINE)' INTERPRETER='$(WINDOWS_LUA)' \
		BUSTED_FLAGS="$(ONLY_HERE)" BEFORE_BUSTED='require "spec.support.no_c_modules"' \
		LUA_PATHS="$(LUA_PATHS);$$($(NATIVE) -e 'io.write(package.path)')"

# -- One file ---------------------------------------------------------------------------

AMALGAMATION = build/amalgamation$(without_suffix)
amalgamate = WITHOUT='$(without)' sh tools/amalgamate.sh $(1) $(CORE_SOURCES) -- $(BINDING_SOURCES)

amalgamation: ## Put the sources together: astar.h, astar.c and astar_lua.c in build/amalgamation [WITHOUT=]
	@$(call amalgamate,$(AMALGAMATION))
	@wc -c $(AMALGAMATION)/astar.h $(AMALGAMATION)/astar.c $(AMALGAMATION)/astar_lua.c

COMPILERS ?= $(CC)

amalgamation-check: amalgamation ## Compile those alone, warnings being errors [COMPILERS=] [LUA=]
	@for compiler in $(COMPILERS); do for file in astar astar_lua; do \
		$$compiler -fsyntax-only -Wall -Wextra -Werror -ffp-contract=off $$($(NEED) headers) $(AMALGAMATION)/$$file.c \
			|| exit 1; \
	done; done

# One call of the compiler, as in the README. The C is that of every other build, in another order: that the routes are
# the same, and of specs those that call most of it, show that it was put together well; more where SPEC names them.
AMALGAMATION_SPECS = SPEC='spec/finder_spec.lua spec/bad_input_spec.lua spec/callbacks_spec.lua'

amalgamation-test: amalgamation ## Run a few specs on the module built of those [LUA=] [CC=] [SPEC=file]
	@mkdir -p $(AMALGAMATION)/$(LUA)/astar
	@$(MAKE) spec BUILD=$(AMALGAMATION)/$(LUA) SANITIZE= UNWIND=1 $(if $(filter file,$(origin SPEC)),$(AMALGAMATION_SPECS)) \
		MODULE_OBJECTS='$(AMALGAMATION)/astar.c $(AMALGAMATION)/astar_lua.c' LINK_FLAGS='' \
		LINK_MODULE="$(LINK_MODULE) $(CFLAGS) -fPIC -fvisibility=hidden -ffp-contract=off -Wall -Wextra \
			$(if $(WERROR),-Werror) $$($(NEED) headers)"

# -- A page -----------------------------------------------------------------------------

PLAYGROUND = build/playground
PLAYGROUND_PARTS = build/playground-parts

playground: ## Install what is missing, and make the playground: build/playground/index.html, which needs no server
	@sh tools/need.sh install playground
	@$(MAKE) -s amalgamation >/dev/null
	@sh tools/playground/build.sh $(PLAYGROUND) $(PLAYGROUND_PARTS) $(AMALGAMATION)

playground-test: ## Test the playground in a browser without a screen, its answers against those of Lua 5.4 here
	@sh tools/need.sh install playground-test
	@$(MAKE) -s playground
	@$(MAKE) -s playground-check LUA=5.4

playground-pictures: ## Make the playground's pictures for the manual: pictures/playground.png and .gif
	@$(MAKE) -s playground
	@CHROMIUM="$$(command -v chromium)" node tools/playground/pictures.mjs $(PLAYGROUND) $(PLAYGROUND_PARTS) pictures

playground-check: $(MODULE)
	@$(RUN_LUA) tools/playground/test/questions.lua >$(PLAYGROUND_PARTS)/answers
	@$(RUN_LUA) tools/playground/test/snippets.lua >$(PLAYGROUND_PARTS)/snippets
	@CHROMIUM="$$(command -v chromium)" node tools/playground/test/test.mjs $(PLAYGROUND) $(PLAYGROUND_PARTS)
