# astar: shortest paths on grids, for Lua. `make help` lists the targets.
#
# Everything built goes under build/: build/5.4/astar/core.so is the module for Lua 5.4,
# build/libastar.a the core for C programs. Objects and their dependency files lie in
# obj/ beside them.

# The Lua to build for: 5.1, 5.2, 5.3, 5.4, 5.5 or luajit. Its headers are searched for; LUA_INCDIR=folder says
# where they are, and, where LUA is not told, of which Lua, as LuaRocks has it.
LUA_INCDIR ?=
ifeq ($(origin LUA),undefined)
LUA := $(or $(if $(LUA_INCDIR),$(shell LUA_INCDIR='$(LUA_INCDIR)' sh tools/need.sh lua)),5.4)
endif
PREFIX ?= /usr/local
CFLAGS ?= -O2
# WERROR=1 makes warnings errors.
WERROR ?=
# SANITIZE=address,undefined (gcc) builds to build/5.4-asan.
SANITIZE ?=
# SPEC=spec/grid_spec.lua picks specs, BUSTED_FLAGS=--filter=corner what they hold.
SPEC ?= spec
BUSTED_FLAGS ?=
# The example that make example runs, and the script that make run does.
NAME ?= quickstart
SCRIPT ?= examples/village.lua

# src/astar.h says the version; all else takes it from there.
VERSION := $(shell sed -n 's/^.define ASTAR_VERSION "\([^"]*\)".*/\1/p' src/astar.h)

ALL_LUAS = 5.5 5.4 5.3 5.2 5.1 luajit

# make run mine.lua is make run SCRIPT=mine.lua, make test spec/grid_spec.lua make test SPEC=spec/grid_spec.lua.
lua_files := $(filter %.lua,$(MAKECMDGOALS))
goals := $(filter-out %.lua,$(MAKECMDGOALS))
ifneq ($(lua_files),)
ifneq ($(filter run village,$(goals)),)
SCRIPT := $(lua_files)
else ifneq ($(filter test test-full quick spec,$(goals)),)
SPEC := $(lua_files)
else
$(error $(lua_files): there is nothing to make of it; to run it: make run SCRIPT=$(firstword $(lua_files)))
endif
.PHONY: $(lua_files)
$(lua_files): ; @:
endif

# Before anything is made.
ifneq ($(words $(LUA)) $(filter $(ALL_LUAS),$(LUA)),1 $(strip $(LUA)))
$(error LUA must be one of $(ALL_LUAS), got '$(LUA)': try make LUA=5.4)
endif

# All cores, unless a -j was given, here or to a make that calls this one; the command line's goes before this one
# by itself. Several targets, make clean all, are made one after the other.
ifeq ($(word 2,$(goals))$(shell echo " $$MAKEFLAGS " | grep -E '^ [[:alpha:]]*j| -[[:alpha:]]*j| --jobs'),)
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
endif
endif

comma := ,
sanitizers := $(subst address,asan,$(subst undefined,ubsan,$(subst $(comma), ,$(SANITIZE))))

# UNWIND=1 links tables by which a stack is unwound for every Lua: for one that was compiled as C++.
UNWIND ?=

# WITHOUT="crowd world" leaves parts of the library out: each is a folder of src/parts, with its binding in lua_*.c.
# Landmarks are a layer that only the part baking makes.
PARTS = baking crowd graph tactics workers world
WITHOUT ?=
ifneq ($(filter-out $(PARTS),$(WITHOUT)),)
$(error WITHOUT may hold $(PARTS), got '$(filter-out $(PARTS),$(WITHOUT))')
endif
without := $(sort $(WITHOUT))
parts := $(filter-out $(without),$(PARTS))
left_out := $(if $(filter baking,$(without)),src/layers/baked_head.c src/layers/landmarks.c)
parts_flags := $(if $(without),$(patsubst %,-DASTAR_HAS_%=0,$(shell echo '$(without)' | tr a-z A-Z)))
space := $(subst ,, )
without_suffix := $(addprefix -without-,$(subst $(space),-,$(without)))
suffix := $(addprefix -,$(firstword $(sanitizers)))$(without_suffix)

# What the compiler makes programs for; mingw's are Windows'.
target := $(shell $(CC) -dumpmachine 2>/dev/null)
is_windows := $(findstring mingw,$(target))

# WHOLE=1 compiles each folder of src/ as one file, to build/whole: two thirds of the work where nothing is built yet,
# far more of it after an edit. For a first look, and for builds that are asked once.
WHOLE ?=

place = build/$(if $(WHOLE),whole/)$(if $(is_windows),windows/)
BUILD = $(place)$(LUA)$(suffix)
CORE_BUILD = $(place)core$(suffix)
MODULE = $(BUILD)/astar/core.$(if $(is_windows),dll,so)
LIBRARY = $(place)libastar$(suffix).a

.PHONY: all run test quick test-full spec test-all core-programs core-test may-install install uninstall lint bench bench-plain figures benchmarks clean help
.PHONY: service service-run service-up service-start service-module service-link service-test service-faults service-check service-chaos
.PHONY: village example love love-games pictures options reference docs size FORCE
.DELETE_ON_ERROR:

all: $(MODULE) ## Build for one Lua: make [LUA=5.1|5.2|5.3|5.4|5.5|luajit] [WERROR=1] [WITHOUT="crowd world"]

# -- Compiling --------------------------------------------------------------------------

# The folders of src/, lowest first: each includes its own files and those of the folders before it. Above them come the
# binding and src/parts. A part is in the core except for its binding, the files lua_*.c.
FOLDERS = base openlist map rules layers share finder search flow
CORE_FOLDERS = $(FOLDERS) $(addprefix parts/,$(parts))
BINDING_FOLDERS = binding $(addprefix parts/,$(parts))
of_parts := $(foreach part,$(parts),$(wildcard src/parts/$(part)/*.c))
of_parts_binding := $(foreach part,$(parts),$(wildcard src/parts/$(part)/lua_*.c))
CORE_SOURCES = $(filter-out $(left_out),$(foreach folder,$(FOLDERS),$(wildcard src/$(folder)/*.c))) \
	$(filter-out $(of_parts_binding),$(of_parts))
BINDING_SOURCES = $(wildcard src/binding/*.c) $(of_parts_binding)
SOURCES = $(CORE_SOURCES) $(BINDING_SOURCES)
# The core knows no Lua, so the modules of all Luas share its objects. Whole folders, the longest first.
ifeq ($(WHOLE),)
CORE_OBJECTS = $(CORE_SOURCES:src/%.c=$(CORE_BUILD)/obj/%.o)
MODULE_OBJECTS = $(CORE_OBJECTS) $(BINDING_SOURCES:src/%.c=$(BUILD)/obj/%.o)
else
LONG = search layers
CORE_OBJECTS = $(patsubst %,$(CORE_BUILD)/obj/%.o,$(LONG) $(filter-out $(LONG),$(CORE_FOLDERS)))
MODULE_OBJECTS = $(BINDING_FOLDERS:%=$(BUILD)/obj/%.o) $(CORE_OBJECTS)
endif

# -ffp-contract=off: a fused multiply-add would give other routes on other machines, as would
# the wider floats of 32-bit x86 without SSE2. mingw's isnan and the like warn of conversions they choose not to do.
is_x86_32 = $(filter i386-% i486-% i586-% i686-%,$(target))$(and $(filter x86_64-%,$(target)),$(filter \
	-m32,$(CC) $(CFLAGS)))
COMPILE = $(CC) -std=c11 -fPIC -fvisibility=hidden -ffp-contract=off -MMD -MP \
	$(if $(is_x86_32),-msse2 -mfpmath=sse) $(if $(is_windows),-Wno-float-conversion) \
	-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wvla \
	$(if $(WERROR),-Werror) \
	$(if $(SANITIZE),-g -fsanitize=$(SANITIZE) -fno-sanitize-recover=all) \
	$(parts_flags) $(CPPFLAGS) $(CFLAGS)

# Lua's functions are the host's: liblua is never linked.
LINK_MODULE = $(CC) $(if $(findstring darwin,$(target)),-bundle -undefined dynamic_lookup,-shared) \
	$(if $(is_windows),-static-libgcc -Wl$(comma)--no-insert-timestamp)
# Linux finds the few names a module takes by one table of them as well as by two.
LINK_FLAGS = $(if $(is_windows),,-pthread) $(if $(findstring linux,$(target)),-Wl$(comma)--hash-style=gnu$(comma)-z$(comma)noseparate-code) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

NEED = LUA='$(LUA)' CC='$(CC)' LUA_INCDIR='$(LUA_INCDIR)' sh tools/need.sh

# build/*/compile holds the compiler's command. It is rewritten only when the command has
# changed, so that another CC or CFLAGS recompiles, and nothing else does. Two makes may do so at once.
replace_if_changed = { cat >$(1).$$$$; if cmp -s $(1) $(1).$$$$; then rm $(1).$$$$; else mv $(1).$$$$ $(1); fi; }

# Goals that can do without Lua's headers, as files of the core can.
WITHOUT_LUA = bench-plain core-test core-programs install-c %.a $(CORE_BUILD)/%
needs_lua = $(filter-out $(WITHOUT_LUA),$(or $(MAKECMDGOALS),all))

# A folder is made only where what it is for can be compiled: nobody has to clean up after a Lua that is not there.
$(BUILD)/compile: FORCE
	@headers=$$($(NEED) headers) && $(need_compiler) && mkdir -p $(BUILD)/astar $(BINDING_FOLDERS:%=$(BUILD)/obj/%) && \
	echo '$(COMPILE)' -Isrc $$headers | $(call replace_if_changed,$@)

$(CORE_BUILD)/compile: FORCE | $(if $(needs_lua),$(BUILD)/compile)
	@$(need_compiler) && mkdir -p $(CORE_BUILD)/bin $(CORE_FOLDERS:%=$(CORE_BUILD)/obj/%) && \
	echo '$(COMPILE)' -Isrc | $(call replace_if_changed,$@)

# Whether it compiles is tried where nothing has been compiled, whether it is there each time.
need_compiler = { { [ -f $@ ] && command -v $(firstword $(CC)) >/dev/null; } || $(NEED) compiler; }

# A short question is mostly calls of Lua's functions. Here they go straight where the loader has found those, which
# makes them longer.
ANSWERING = finder new_path path query util
$(ANSWERING:%=$(BUILD)/obj/binding/lua_%.o): CALLS = $(if $(findstring linux,$(target)),-fno-plt)

# Where searches, floods and beats spend their time is compiled for speed: what takes one in a hundred of any section of the
# bench, or lies on a short question's way. All else is small, and so is what is new, until it is measured.
HOT = $(addprefix base/,alloc array mapped_blocks pages) \
	$(addprefix binding/lua_,finder flow grid keys path query search share util) \
	$(addprefix parts/crowd/,beat pibt goal_fields) \
	$(addprefix layers/,components dead_ends jump_bitmaps landmarks layer nonuniform walkable) \
	$(addprefix parts/baking/,baked_route subgoals) \
	$(addprefix flow/flow_,flood pack query repair sweep) $(addprefix parts/graph/,graph_baking graph_search keys lua_graph_query) \
	$(addprefix map/,blocks field grid) $(addprefix openlist/,bucket_queue heap heap64 indexed_heap lifo_queue slotted_queue) \
	$(addprefix rules/,capabilities corner_rules) $(addprefix finder/,costs roads) \
	$(addprefix search/,active_landmarks any_angle bends best_first direct_line find goal jps jpsw jump_nodes links nodes path path_queries \
		priced_bends query_plan raycast reachable repair run sight smooth trace workspace) parts/tactics/fov \
	$(addprefix parts/world/,cutout route_search squares)
is_hot = $(filter $(HOT:%=$(BUILD)/obj/%.o) $(HOT:%=$(CORE_BUILD)/obj/%.o),$@)
SMALL = $(if $(filter -O2,$(CFLAGS)),$(if $(is_hot),,-Os))

# clang unrolls loops, gcc has them begin at multiples of 16 bytes. That pays where searches and what they jump by spend
# their time; elsewhere it only makes the module larger.
UNROLLED = base openlist rules layers search flow
LOOPS = $(if $(and $(is_hot),$(filter $(UNROLLED:%=%/%),$(@:$(CORE_BUILD)/obj/%=%))),,-fno-unroll-loops -fno-align-functions \
	-fno-align-jumps -fno-align-labels -fno-align-loops -Wno-ignored-optimization-argument)

# Shows that $(1) is compiled, as how many of those that this goal needs and that are not there; see tools/progress.sh.
compiling = $(eval compiled += x)$(if $(is_silent),,sh tools/progress.sh $(words $(compiled)) $(words $(absent)) $(1);)
absent = $(eval absent := $(filter-out $(wildcard $(planned)),$(planned)))$(absent)
planned = $(sort $(if $(filter build/fuzz/%,$(MAKECMDGOALS)),$(FUZZ_OBJECTS),$(CORE_OBJECTS)) \
	$(if $(needs_lua),$(MODULE_OBJECTS)) $(if $(filter core-test,$(MAKECMDGOALS)),$(C_PROGRAMS) $(REPLAYS)))
is_silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
# Shows that $(2) is made of them, by $(1).
making = $(if $(is_silent),,sh tools/progress.sh $(1) $(2);)

$(BUILD)/obj/%.o: src/%.c $(BUILD)/compile
	@$(call compiling,$<)$$(cat $(BUILD)/compile) $(LOOPS) $(CALLS) $(SMALL) -c -o $@ $<

$(CORE_BUILD)/obj/%.o: src/%.c $(CORE_BUILD)/compile
	@$(call compiling,$<)$$(cat $(CORE_BUILD)/compile) $(LOOPS) $(SMALL) -c -o $@ $<

# A folder's sources $(1) as one file; whether a name of it is shadowed, a file at a time tells.
FOLDER = printf '\#include "%s"\n' $(patsubst src/%,%,$(filter src/$*/%.c,$(1))) |
FOLDER_FLAGS = -D_GNU_SOURCE -Wno-shadow -x c - -c -o $@

$(BUILD)/obj/%.o: src/% $(BUILD)/compile
	@$(call compiling,$<)$(call FOLDER,$(BINDING_SOURCES)) $$(cat $(BUILD)/compile) $(FOLDER_FLAGS)

$(CORE_BUILD)/obj/%.o: src/% $(CORE_BUILD)/compile
	@$(call compiling,$<)$(call FOLDER,$(CORE_SOURCES)) $$(cat $(CORE_BUILD)/compile) $(FOLDER_FLAGS)

# Windows binds a function by its library's name, too: an import library says that Lua's are the host's,
# lua51.dll, which LuaJIT has as well, or lua54.dll.
HOST_LIBRARY = $(if $(is_windows),$(BUILD)/obj/host.a)
$(BUILD)/obj/host.a: $(MODULE_OBJECTS)
	@{ echo 'LIBRARY lua$(subst .,,$(LUA_ABI)).dll'; echo EXPORTS; \
		$(target)-nm -u $^ | awk '$$2 ~ /^luaL?_/ { print $$2 }' | sort -u; } >$(@:a=def)
	@$(target)-dlltool -d $(@:a=def) -l $@

# LuaJIT unwinds the stack by tables, a seventh of the module, when something is raised, and loads what was made for Lua 5.1, too:
# they are left out of layers that nothing is raised through. Other Luas jump. Debuggers read them. A linker that does not know
# how to leave them out keeps all.
WITHOUT_TABLES = $(if $(filter -g%,$(CFLAGS))$(SANITIZE)$(UNWIND),,$(if $(findstring linux,$(target)),-Wl$(comma)-T$(comma)$(if \
	$(filter luajit 5.1,$(LUA)),tools/few_unwind_tables.ld,tools/no_unwind_tables.ld)))

$(MODULE).link: FORCE | $(BUILD)/compile
	@mkdir -p $(@D); echo '$(LINK_MODULE) $(LINK_FLAGS) $(WITHOUT_TABLES)' | $(call replace_if_changed,$@)

$(MODULE): $(MODULE_OBJECTS) $(HOST_LIBRARY) $(MODULE).link $(wildcard tools/*.ld)
	@$(call making,ld,$@)link() { $(LINK_MODULE) -o $@ $(filter-out %.link %.ld,$^) $(LINK_FLAGS) -lm "$$@"; }; \
	$(if $(WITHOUT_TABLES),link $(WITHOUT_TABLES) 2>/dev/null ||) link

size: $(MODULE) ## Print the size of core.so without its symbols, in bytes
	@sh tools/size.sh $(MODULE) $(target)-strip strip

$(LIBRARY): $(CORE_OBJECTS)
	@$(call making,ar,$@)rm -f $@
	@$(AR) rcs $@ $^

-include $(wildcard $(addsuffix .d,$(foreach build,$(BUILD) $(CORE_BUILD),$(build)/obj/* $(build)/obj/*/* $(build)/obj/parts/*/*)) $(CORE_BUILD)/bin/*.d \
	$(CORE_BUILD)/bin/unit/*.d)

# -- Running ----------------------------------------------------------------------------

# An installed copy must not shadow this tree's, nor a path made for one Lua only.
LUA_PATHS = ./lua/?.lua;./lua/?/init.lua;./?.lua
LUA_CPATHS = ./$(BUILD)/?$(suffix $(MODULE))
unexport LUA_PATH_5_2 LUA_PATH_5_3 LUA_PATH_5_4 LUA_PATH_5_5
unexport LUA_CPATH_5_2 LUA_CPATH_5_3 LUA_CPATH_5_4 LUA_CPATH_5_5

# A sanitizer's runtime must be loaded before Lua, and then is in every program that a spec
# starts, too. Only Lua, by the options file named after it, is asked about leaks.
INTERPRETER = $(or $(shell $(NEED) interpreter),$(error no interpreter of LUA=$(LUA) was found; \
	'make run LUA=$(LUA)' installs it where there is a package))
runtimes = $(foreach name,$(sanitizers),$(shell $(CC) -print-file-name=lib$(name).so))
options_file = $(BUILD)/$(notdir $(INTERPRETER)).options
preload = LD_PRELOAD='$(runtimes)' UBSAN_OPTIONS=print_stacktrace=1 \
	ASAN_OPTIONS=detect_leaks=0:include_if_exists=$(BUILD)/%b.options

# ASTAR_LUA tells specs which Lua to start themselves; the paths reach it as well.
RUN_LUA = $(if $(SANITIZE),[ -s $(options_file) ] || echo detect_leaks=1 >$(options_file); $(preload)) \
	LUA_PATH='$(LUA_PATHS);;' LUA_CPATH='$(LUA_CPATHS);;' ASTAR_LUA='$(INTERPRETER)' \
	$(WRAP) $(INTERPRETER)

# run and test first install what they lack and then start make again, which sees it.
MAKEFLAGS += --no-print-directory

# A first look is soon there: where nothing is built it takes whole folders, little optimised.
run: ## Install what is missing (Debian, Ubuntu), build, and show routes through a village, or run SCRIPT=mine.lua
	@[ -f '$(SCRIPT)' ] || { echo "make run: there is no file SCRIPT=$(SCRIPT)" >&2; exit 1; }
	@$(NEED) install run
	@$(MAKE) village $(AT_FIRST) SCRIPT='$(SCRIPT)'

AT_FIRST = $(if $(wildcard $(MODULE)),,WHOLE=1 CFLAGS=-O1)

# A script runs in its own folder, so that it finds the files beside it.
village: $(MODULE)
	@cd "$$(dirname '$(SCRIPT)')" && $(subst ./,$(CURDIR)/,$(RUN_LUA)) "$$(basename '$(SCRIPT)')"

example: ## Run an example: make example [NAME=quickstart] [LUA=]
	@[ -f examples/$(NAME:.lua=).lua ] || { \
		echo "no example $(NAME); there are:" $(basename $(notdir $(wildcard examples/*.lua))) >&2; exit 1; }
	@$(MAKE) village SCRIPT=examples/$(NAME:.lua=).lua $(AT_FIRST)

# The LÖVE prototypes. Its Lua is LuaJIT, whatever LUA says.
DEMO ?= gallery

love: override LUA = luajit
love: ## Install what is missing, and play the prototypes in LÖVE: make love [DEMO=click_to_walk]
	@[ -n "$$DISPLAY$$WAYLAND_DISPLAY$$SDL_VIDEODRIVER" ] || [ "$$(uname -s)" != Linux ] \
		|| { echo "make love needs a display, and there is none here" >&2; exit 1; }
	@$(NEED) install love
	@$(MAKE) love-games
	@[ -d build/love/$(DEMO) ] || { echo "no DEMO $(DEMO); there are:" $$(ls build/love) >&2; exit 1; }
	@love build/love/$(DEMO)

# The pathfinding service: etcd and HAProxy, on ports of loopback and in folders under build/. What a system runs of them is
# never touched. The Lua is the one that HAProxy was built with: 5.3 in Debian 12, 5.4 in Debian 13.
SERVICE_LUA = $$(sh tools/need.sh service-lua)

service: ## Install what is missing, and show the pathfinding service: one etcd, one haproxy, a village, kills
	@$(NEED) install service
	@$(MAKE) service-run LUA=$(SERVICE_LUA)

# A client needs no more than this. Whole paths, for tests change their folder.
SERVICE_ENV = ASTAR_TEST_LUA='$(INTERPRETER)' LUA_PATH='$(CURDIR)/service/?.lua;$(CURDIR)/lua/?.lua;$(CURDIR)/lua/?/init.lua;;' \
	LUA_CPATH='$(CURDIR)/$(BUILD)/?.so;;'

# The module for HAProxy's Lua, at a path that does not name that Lua: what the units and the container file load.
service-module: ## Install what is missing, and build the module for HAProxy's Lua, as build/haproxy/astar/core.so
	@$(NEED) install service
	@$(MAKE) service-link LUA=$(SERVICE_LUA)

service-link: $(MODULE)
	@ln -sfn $(LUA) build/haproxy

service-run: $(MODULE)
	@$(SERVICE_ENV) $(INTERPRETER) service/demo.lua

# The module is built by a make of its own: its headers may have to be installed before, and the name of a prerequisite
# would be that of the Lua on the command line, whatever this target says.
service-up: ## Start three instances on loopback, to try things: make service-up, and service/cluster.sh clean
	@$(NEED) install service
	@$(MAKE) service-start LUA=$(SERVICE_LUA)

service-start: $(MODULE)
	@MODULE='$(CURDIR)/$(BUILD)' sh service/cluster.sh up 3 && sh service/cluster.sh status

FAULTS ?= 30

service-test: ## Test the service, three of each engine: promises, strangers, then faults under load: make service-test [FAULTS=30] [SEED=]
	@$(NEED) install service
	@$(MAKE) service-check LUA=$(SERVICE_LUA) FAULTS=$(FAULTS)

service-faults: ## Faults in one long run, all that was seen replayed: make service-faults [N=1000]
	@$(NEED) install service
	@$(MAKE) service-chaos LUA=$(SERVICE_LUA) N=$(or $(N),1000)

service-chaos: $(MODULE)
	@$(SERVICE_ENV) $(INTERPRETER) service/test/chaos.lua $(N)

service-check: $(MODULE)
	@$(SERVICE_ENV) $(INTERPRETER) service/test/all.lua $(FAULTS) $(SEED)

love-games: ## Put the prototypes together in build/love, and what a game copies in build/lib
	@$(MAKE) -s all LUA=luajit SANITIZE= CC='$(CC)'
	@LUA_PROGRAM="$$($(NEED) interpreter)" sh tools/love.sh build/love build/luajit$(without_suffix)/astar/core.so

pictures: love-games $(MODULE) ## Make the pictures of the README and docs/ anew, in LÖVE (Debian: love ffmpeg gifsicle)
	@sh tools/pictures.sh
	@$(RUN_LUA) tools/tactics_pictures.lua

options: ## Write what follows from the table of options, src/rules/options.def
	@$(INTERPRETER) tools/options.lua

reference: ## Make docs/reference.md and docs/reference/ of the annotations
	@$(INTERPRETER) tools/reference.lua docs

SITE ?= build/docs

docs: ## Make a site of the manual, with search: build/docs/index.html (Debian: python3-sphinx and more)
	@sh tools/site.sh $(SITE) $(PLAYGROUND)

# BENCH holds arguments of either: BENCH='maps growth csv=results.csv', BENCH=every=10.
BENCH ?=

bench: $(MODULE) ## Measure: make bench [LUA=] [BENCH='maps growth csv=FILE'], see bench/bench.lua
	@$(RUN_LUA) bench/bench.lua $(BENCH)
	@echo "through $(if $(filter luajit,$(LUA)),Lua 5.4,LuaJIT): make bench \
	LUA=$(if $(filter luajit,$(LUA)),5.4,luajit) $(if $(BENCH),BENCH='$(BENCH)')" >&2

bench-plain: $(addprefix $(CORE_BUILD)/bin/plain/,bucket_astar flows graph_astar pulling) ## Measure the C core beside plain programs of forty lines
	@result=0; for program in $^; do $$program || result=1; done; exit $$result

# Of one Lua, or of several after each other: make figures LUA=luajit FIGURES='build/5.4/figures.csv build/luajit/figures.csv'.
FIGURES ?= $(BUILD)/figures.csv

figures: $(MODULE) ## Measure targets and growth anew, for docs/targets.md and its picture: make figures [BENCH=side=16384]
	@$(RUN_LUA) bench/bench.lua targets growth csv=$(BUILD)/figures.csv $(BENCH)
	@$(RUN_LUA) bench/pages.lua $(FIGURES) docs/targets.md
	@$(RUN_LUA) bench/plot.lua -o pictures $(FIGURES)

benchmarks: $(MODULE) ## Answer every scenario of the maps in ASTAR_BENCHMARKS
	@$(RUN_LUA) bench/benchmarks.lua $(BENCH)

# -- Testing ----------------------------------------------------------------------------

SPECS := $(sort $(wildcard spec/*_spec.lua spec/*/*_spec.lua))

test: ## Install what is missing, build, run the specs, of the long ones a part [LUA=] [SPEC=file]
	@$(if $(filter-out spec,$(SPEC)),,$(call say_how_long,$(MINUTES),make test-full runs all that the specs have))
	@rm -f $(RESULTS)/summary
	@$(NEED) install test
	@$(MAKE) spec SPEC='$(SPEC)'

quick: test ## The same as make test

test-full: export ASTAR_FULL = 1
test-full: ## Test as 'make test' does, with all cases of the long specs [LUA=] [SPEC=file]
	@$(if $(filter-out spec,$(SPEC)),,$(call say_how_long,$(MINUTES_FULL),make test runs a part of them))
	@$(MAKE) test SPEC='$(SPEC)' MINUTES=

# Measured on two idle cores, with nothing compiled before.
MINUTES = 3
MINUTES_FULL = 8
say_how_long = $(if $(1),echo "$(words $(SPECS)) files of specs: about $(1) minutes on two idle cores; $(2)",:)

# How many processes run files of specs at once: as many as make runs jobs.
JOBS ?= $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN))
# Where the logs and results of the files lie.
RESULTS ?= $(BUILD)/specs$(PART)

quote = '$(subst ','\'',$(1))'

# The busted on PATH may be a wrapper for another Lua, so this Lua gets its own. A spec may call make, which must not take
# part in this one's jobs, nor build as those under sanitizers do.
spec: $(MODULE) ## Build and run specs, installing nothing: make spec SPEC=spec/grid_spec.lua [BUSTED_FLAGS=--filter=corner]
	@mkdir -p $(RESULTS); echo '$(BEFORE_BUSTED) require("busted.runner")({ standalone = false })' >$(RESULTS)/busted.lua
	@export MAKEFLAGS= MAKELEVEL=; $(if $(SANITIZE),unset CFLAGS WHOLE;) \
		RUN=$(call quote,$(RUN_LUA) $(RESULTS)/busted.lua --lpath='$(LUA_PATHS)' --cpath='$(LUA_CPATHS)' $(BUSTED_FLAGS)) \
		sh tools/specs.sh $(RESULTS) $(JOBS) $(or $(SPEC),spec)

test-all: ## Test as 'make test-full' does, on every Lua that is installed
	@rm -f $(ALL_LUAS:%=build/%$(suffix)/specs/summary)
	@for lua in $(ALL_LUAS); do \
		summary=build/$$lua$(suffix)/specs/summary; \
		if ! LUA=$$lua sh tools/need.sh interpreter >/dev/null; then \
			echo "== LUA=$$lua: not installed, skipped"; \
			continue; \
		fi; \
		echo "== LUA=$$lua"; \
		mkdir -p $${summary%/*}; \
		$(MAKE) test-full LUA=$$lua || [ -s $$summary ] || echo '0 passed, 1 failed' >$$summary; \
	done
	@cat $(ALL_LUAS:%=build/%$(suffix)/specs/summary) 2>/dev/null | awk '\
		{ passed += $$1; failed += $$3; skipped += $$5 } \
		END { printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped; \
			exit failed > 0 || passed == 0 }'

C_PROGRAMS = $(patsubst spec/unit/%.c,$(CORE_BUILD)/bin/unit/%,$(wildcard spec/unit/*.c)) \
	$(patsubst spec/c/%.c,$(CORE_BUILD)/bin/%,$(wildcard spec/c/*.c)) \
	$(patsubst examples/%.c,$(CORE_BUILD)/bin/%,$(wildcard examples/*.c))

$(CORE_BUILD)/bin/unit/%: spec/unit/%.c $(LIBRARY) $(CORE_BUILD)/compile
	@mkdir -p $(@D)
	@$(call compiling,$@)$$(cat $(CORE_BUILD)/compile) -o $@ $< $(LIBRARY) $(LINK_FLAGS) -lm

# Clients of the C API, to whom nothing else of src/ is in reach.
$(CORE_BUILD)/include/astar.h: src/astar.h $(wildcard src/astar/*.h) | $(CORE_BUILD)/compile
	@mkdir -p $(@D)/astar
	@cp $(filter src/astar/%,$^) $(@D)/astar && cp $< $@

compile_client = sed 's: -Isrc$$: -I$(CORE_BUILD)/include:' $(CORE_BUILD)/compile

$(CORE_BUILD)/bin/%: spec/c/%.c $(LIBRARY) $(CORE_BUILD)/compile $(CORE_BUILD)/include/astar.h
	@$(call compiling,$@)$$($(compile_client)) -pthread -o $@ $< $(LIBRARY) $(LINK_FLAGS) -lm

$(CORE_BUILD)/bin/%: examples/%.c $(LIBRARY) $(CORE_BUILD)/compile $(CORE_BUILD)/include/astar.h
	@$(call compiling,$@)$$($(compile_client)) -pthread -o $@ $< $(LIBRARY) $(LINK_FLAGS) -lm

$(CORE_BUILD)/bin/plain/%: bench/plain/%.c $(LIBRARY) $(CORE_BUILD)/compile $(CORE_BUILD)/include/astar.h
	@mkdir -p $(@D)
	@$(call compiling,$@)$$($(compile_client)) -o $@ $< $(LIBRARY) $(LINK_FLAGS) -lm

REPLAYS = $(addprefix $(CORE_BUILD)/bin/,replay replay_crowds replay_graphs replay_hexagons)

core-programs: $(C_PROGRAMS) $(REPLAYS)

# RUN=qemu-i386 runs programs of another processor.
RUN ?=

core-test: $(C_PROGRAMS) $(REPLAYS) ## Test the C core without Lua: spec/unit, spec/c, the C examples
	@passed=0 failed=0; for program in $(C_PROGRAMS) \
		$(foreach replay,$(REPLAYS),"$(replay) $(CORPUS)/$(patsubst replay_%,%,$(patsubst replay,core,$(notdir $(replay))))/*"); do \
		echo "== $$program"; \
		if $(RUN) $$program; then passed=$$((passed + 1)); else failed=$$((failed + 1)); fi; \
	done; \
	echo "$$passed passed, $$failed failed, 0 skipped"; \
	[ $$failed = 0 ] && [ $$passed -gt 0 ]

# Coverage, mutants, faults, fuzzers and the like.
include tools/checks.mk

# Windows, one file.
include tools/builds.mk

# The C library installed, and what a release consists of.
include tools/release.mk

# Runs a tool if there is one.
try = @if command -v $(1) >/dev/null; then echo "$(1) $(2)"; $(1) $(2) $(3); \
	else echo "$(1): not installed, skipped"; fi

lint: $(BUILD)/compile ## Check style, layers, names, calls; luacheck, clang-format, luarocks lint, as installed
	@echo "folders: $(FOLDERS) binding parts/"; sh tools/layers.sh $(FOLDERS)
	@echo "clients of astar.h: examples spec/c"; sh tools/clients.sh
	@echo "all of src/ as one file"; printf '#include "%s"\n' $(SOURCES:src/%=%) >$(BUILD)/one_file.c
	@$$(cat $(BUILD)/compile) -D_GNU_SOURCE -Werror -Wno-shadow -fsyntax-only \
		-MF $(BUILD)/one_file.d $(BUILD)/one_file.c
	@printf 'calls: '; $$(cat $(BUILD)/compile) -D_GNU_SOURCE -E -P -MF $(BUILD)/one_file.d $(BUILD)/one_file.c \
		| $(INTERPRETER) tools/cycles.lua
	$(call try,luacheck,-q --no-color,$(wildcard lua spec examples bench service))
	$(call try,clang-format,--dry-run --Werror,$(wildcard src/*.h src/*/*.[ch] src/parts/*/*.[ch] examples/*.c bench/plain/*.c \
		$(foreach folder,c unit faults fuzz,spec/$(folder)/*.[ch])))
	$(call try,luarocks,lint,$(wildcard *.rockspec))
	$(call try,luarocks,lint,$(wildcard service/*.rockspec))

# -- Installing -------------------------------------------------------------------------

# LuaJIT looks where Lua 5.1 does. INST_LUADIR and INST_LIBDIR are LuaRocks' to set.
LUA_ABI = $(LUA:luajit=5.1)
INST_LUADIR = $(PREFIX)/share/lua/$(LUA_ABI)
INST_LIBDIR = $(PREFIX)/lib/lua/$(LUA_ABI)
LUA_FILES = $(wildcard lua/astar/*.lua lua/astar/*/*.lua)
# The folders of those files, from lua/astar.
LUA_FOLDERS = $(patsubst lua/astar/%/,%,$(sort $(dir $(wildcard lua/astar/*/*.lua))))
to_luadir = $(DESTDIR)$(INST_LUADIR)/astar
to_libdir = $(DESTDIR)$(INST_LIBDIR)/astar

# Before anything is built for it.
may-install:
	@sh tools/install.sh check install '$(to_luadir)' '$(to_libdir)'

install: may-install $(MODULE) ## Install: make install [LUA=] [PREFIX=/usr/local] [DESTDIR=]
	@echo "installing to $(to_luadir) and $(to_libdir)"
	@mkdir -p $(LUA_FOLDERS:%='$(to_luadir)/%') '$(to_libdir)'
	@for folder in . $(LUA_FOLDERS); do install -m 644 lua/astar/$$folder/*.lua '$(to_luadir)'/$$folder || exit 1; done
	@install -m 755 $(MODULE) '$(to_libdir)'
	@$(if $(tells_paths),sh tools/install.sh paths '$(INST_LUADIR)' '$(INST_LIBDIR)' $(shell $(NEED) interpreter))

# Not where LuaRocks, which says where, or a package is made of it.
tells_paths = $(and $(filter file,$(origin INST_LUADIR)),$(if $(DESTDIR),,yes))

uninstall: ## Remove what install with the same LUA, PREFIX and DESTDIR put there
	@rm -f $(patsubst lua/astar/%,'$(to_luadir)/%',$(LUA_FILES)) '$(to_libdir)/core.so'
	@for folder in $(LUA_FOLDERS:%='$(to_luadir)/%') '$(to_luadir)' '$(to_libdir)'; do \
		if [ -d "$$folder" ]; then rmdir "$$folder"; fi; \
	done

clean: ## Remove build/, and end what service-up started
	@[ ! -d build/service ] || sh service/cluster.sh down
	rm -rf build

# The groups in which help lists the targets; one that stands in no list is for who develops astar.
FOR_USE = run example install uninstall install-c uninstall-c love playground service service-up docs clean help
FOR_RELEASES = amalgamation amalgamation-check amalgamation-test dist figures love-games pictures playground-pictures playground-test windows windows-test
FOR_CHECKS = allocations apicheck brief callbacks core-test-32 coverage cross faults further fuzz fuzz-long mutants quick-test-32 routes \
	sanitized sanitized-build sanitized-core service-faults service-test soak test-all threads tsan valgrind

help: ## List the targets
	@awk -F ':.*## ' -v use='$(FOR_USE)' -v release='$(FOR_RELEASES)' -v checks='$(FOR_CHECKS)' ' \
		function is_in(name, list) { return index(" " list " ", " " name " ") > 0 } \
		/^[a-z0-9-]+:.*## / { \
			group = is_in($$1, use) ? 1 : is_in($$1, release) ? 3 : is_in($$1, checks) ? 4 : 2; \
			text[group] = text[group] sprintf("  make %-18s %s\n", $$1, $$2) \
		} \
		END { split("To use it:/To develop it:/For a release:/More checks:", title, "/"); \
			for (i = 1; i <= 4; i++) printf "%s%s\n%s", (i > 1 ? "\n" : ""), title[i], text[i] }' \
		$(filter %Makefile %.mk,$(MAKEFILE_LIST))
