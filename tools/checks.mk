# checks.mk -- the checks beyond the specs, for the Makefile: coverage, mutants, faults, fuzzers.

.PHONY: check brief further sanitized sanitized-build sanitized-core routes core-test-32 quick-test-32 coverage cross mutants mutant-objects fuzz fuzz-long soak
.PHONY: allocations callbacks threads faults tsan valgrind apicheck checked

COVERAGE = BUILD=build/coverage CORE_BUILD=build/coverage/core LIBRARY=build/coverage/libastar.a \
	CC=gcc SANITIZE= CFLAGS='-O0 --coverage -fprofile-update=atomic -DASTAR_COVERAGE -DNDEBUG' LDFLAGS=--coverage

REPORT = build/coverage/report
GCOVR = --gcov-executable 'sh $(CURDIR)/tools/gcov.sh' --root . --filter src/

coverage: ## Which lines and branches of src/ the specs run (Debian: gcovr); build/coverage/report
	@command -v gcovr >/dev/null || { echo "needs gcovr (Debian: apt-get install gcovr)" >&2; exit 1; }
	@find build/coverage -name '*.gcda' -delete 2>/dev/null; mkdir -p $(REPORT)
	@$(MAKE) core-test $(COVERAGE)
	@$(MAKE) test-full $(COVERAGE) SPEC='$(filter-out spec/stack_spec.lua,$(SANITIZED))' # whose frames are larger
	@gcovr $(GCOVR) --branches --exclude-unreachable-branches --print-summary \
		--fail-under-line 98 --fail-under-branch 90 --html-details $(REPORT)/index.html
	@echo "== what the harnesses do not run either, and why"
	@mkdir -p $(REPORT); $(MAKE) -s allocations callbacks LUA=5.4 $(COVERAGE) >$(REPORT)/harnesses
	@gcovr $(GCOVR) --xml -o $(REPORT)/coverage.xml
	@lua5.4 tools/uncovered.lua $(REPORT)/coverage.xml

# MUTANTS holds arguments: MUTANTS='count=20 only=src/finder/costs.c'.
MUTANTS ?=

mutants: ## Do the specs notice a core that is wrong? make mutants [MUTANTS='count=20 seed=2']
	@$(MAKE) -s mutant-objects BUILD=build/mutants CORE_BUILD=build/mutants/core LUA=5.4 SANITIZE= CFLAGS='-O1 -g0' >/dev/null
	@lua5.4 tools/mutants.lua $(MUTANTS)

mutant-objects: $(MODULE) $(patsubst spec/c/%.c,$(BUILD)/programs/%.o,$(wildcard spec/c/*.c)) \
	$(patsubst spec/unit/%.c,$(BUILD)/programs/unit_%.o,$(wildcard spec/unit/*.c))

$(BUILD)/programs/unit_%.o: spec/unit/%.c $(BUILD)/compile
	@mkdir -p $(BUILD)/programs
	@$$(cat $(BUILD)/compile) -c -o $@ $<

$(BUILD)/programs/%.o: spec/c/%.c $(BUILD)/compile
	@mkdir -p $(BUILD)/programs
	@$$(cat $(BUILD)/compile) -c -o $@ $<

# Builds of their own, so that neither these nor the usual ones are made again each time.
check_build = BUILD=build/check-$(1) CORE_BUILD=build/check-$(1)/core CC=$(1) LUA=5.4 SANITIZE= CFLAGS=-O1 WERROR=1

check: ## What to run before a change is sent: under five minutes on two idle cores
	@for compiler in gcc clang; do \
		if command -v $$compiler >/dev/null; then echo "== $$compiler"; \
			$(MAKE) -s all $(call check_build,$$compiler) >/dev/null || exit 1; fi; done
	@echo "== lint"; $(MAKE) -s lint
	@echo "== size"; $(MAKE) -s size LUA=5.4 SANITIZE=
	@echo "== the C core"; $(MAKE) core-test
	@echo "== the C core, 32 bits"; $(MAKE) -s quick-test-32
	@$(MAKE) test LUA=5.4
	@if LUA=luajit sh tools/need.sh interpreter >/dev/null; then $(MAKE) test LUA=luajit; fi
	@echo "== the same routes"; $(MAKE) -s routes
	@if command -v clang >/dev/null; then $(MAKE) fuzz RUNS=20000; fi

# What is asked whether it is right, and not how fast, is compiled by folders and little optimised, with the lines of a
# sanitizer's report for all debug information: two fifths of the work.
LIGHT = WHOLE=1 CFLAGS='-O1 -g1'

# For processors whose sums of sizes wrap earlier. Two programs take a minute, so make check leaves them out.
build_32 = CC='$(CC) -m32' CORE_BUILD=build/core-32 LIBRARY=build/libastar-32.a SANITIZE= WERROR=1 WHOLE=1 CFLAGS=-O1
QUICK_PROGRAMS_32 = $(patsubst $(CORE_BUILD)/%,build/core-32/%,$(filter-out %/memory %/repairs,$(C_PROGRAMS)))

# Some kernels run no 32-bit programs. qemu does, far more slowly, and all pass but unit/mapped_blocks, which asks the
# system how much memory the process has and is told of qemu's.
core-test-32: ## Test the C core built for 32 bits (Debian: gcc-multilib), as core-test does [C_PROGRAMS=] [RUN=qemu-i386]
	@trial=$$(mktemp) && trap 'rm -f "$$trial"' EXIT && reason=; \
	if ! echo 'int main(void) { return 0; }' | $(CC) -m32 -x c -o "$$trial" - 2>/dev/null; then \
		reason="$(CC) makes no 32-bit programs (Debian: gcc-multilib)"; \
	elif ! $(RUN) "$$trial" 2>/dev/null; then \
		reason="this machine runs no 32-bit programs, but perhaps by make core-test-32 RUN=qemu-i386 (Debian: qemu-user)"; \
	fi; \
	if [ -n "$$reason" ]; then \
		echo "$$reason: skipped"; \
		echo "0 passed, 0 failed, 1 skipped"; \
	else \
		$(MAKE) core-test $(build_32); \
	fi

quick-test-32: ## Test as core-test-32 does, without the two programs that take a minute
	@$(MAKE) core-test-32 C_PROGRAMS='$(QUICK_PROGRAMS_32)'

# PART=1 takes every other one of $(1) and PART=2 the rest, so that two can run at once; of OF=3, PART=3 takes a third, so
# that Luas that hardly differ share them.
PART ?=
OF ?= 2
part = $(if $(PART),$(shell printf '%s\n' $(1) | awk 'NR % $(OF) == $(PART) % $(OF)'),$(1))
all_but = $(call part,$(filter-out $(1:%=spec/%_spec.lua),$(SPECS)))

# Specs of texts, of make and compilers, and of what is alike on every Lua.
SLOW = amalgamation bench benchmarks canonical clearance core differential extending install_c \
	links_and_walls_random love/love love/packed parts process site soak targets

# The objects of the core are the same for all Luas, so a further one need not run what is about the core.
OF_THE_CORE = blockers breach components determinism dump flow flow_living goals links nearest repair retarget search share suppose \
	$(addprefix crowd/,armies chase crowd games horde saving shapes sides) $(addprefix tactics/,bottlenecks desire_map fov opaque) \
	graph/components world/routes world/world $(AGAINST_ORACLES)

# The same, where all that is asked of the module is what an oracle answers, too, on maps that are alike on every Lua.
AGAINST_ORACLES = bends crowd/motion crowd/resolving flow_random graph/random hex nearest_random nonuniform option_products repairing \
	time/schedule_random world/beside_a_grid world/edits wrap

brief: ## Test as 'make test' does, without the specs of the core, which all Luas share [PART=1 OF=3] [LUA=]
	@$(MAKE) test SPEC='$(call all_but,$(SLOW) $(OF_THE_CORE))'

# LÖVE's Lua, and what takes processes and hours, may differ in more than the binding's calls. Its hashes of routes were
# compared by the one that ran all.
further: ## Test as 'make test' does, with LÖVE, processes and a soak: for a Lua beside one that ran all [LUA=]
	@$(MAKE) test SPEC='$(call all_but,determinism $(AGAINST_ORACLES) $(filter-out love/love love/packed process soak,$(SLOW)))'

# What reads texts, calls make or compilers, or asks plain programs: no C of a sanitized module is below it. Armies play for
# minutes what other specs of crowds do.
WITHOUT_C = amalgamation bench benchmarks core crowd/armies docs extending folders install_c love/core love/love love/packed luas need \
	parts site summary targets traps
SANITIZED = $(filter-out $(WITHOUT_C:%=spec/%_spec.lua),$(SPECS))

UNDER_SANITIZERS = SANITIZE=address,undefined $(LIGHT)

sanitized: ## Run the specs that have C below them under sanitizers [PART=1|2] [LUA=]
	@$(MAKE) test $(UNDER_SANITIZERS) SPEC='$(call part,$(SANITIZED))'

sanitized-core: ## Test the C core under sanitizers [C_PROGRAMS=]
	@$(MAKE) core-test $(UNDER_SANITIZERS)

sanitized-build: ## Build what both of these share, before they run side by side [LUA=]
	@$(MAKE) -s all $(UNDER_SANITIZERS)

routes: ## Compare the routes of every Lua that is built
	@for lua in $(ALL_LUAS); do \
		if [ -f build/$$lua/astar/core.so ]; then \
			$(MAKE) -s all LUA=$$lua >/dev/null && LUA=$$lua sh tools/need.sh interpreter >build/interpreter && \
			echo "$$($$(cat build/interpreter) spec/support/route_hash.lua build/$$lua) by $$lua" || exit 1; \
		fi; \
	done | tee build/routes
	@[ "$$(cut -d' ' -f1-5 build/routes | sort -u | wc -l)" = 1 ]

# Debian's names of other processors.
ARCH ?= armhf s390x

cross: ## Compare the routes with those of other processors, under qemu: make cross [ARCH=armhf]
	@sh tools/cross.sh $(ARCH)

# -- Faults -----------------------------------------------------------------------------

# A program of spec/faults holds the module and a Lua; its own allocator may stand in for mapped_blocks.c.
FAULTS_BUILD = $(BUILD)/faults

$(FAULTS_BUILD)/%: spec/faults/%.c $(MODULE_OBJECTS)
	@mkdir -p $(@D)
	@$(call making,cc,$@)libs=$${LUA_LIBS:-$$($(NEED) libs)} && $$(cat $(BUILD)/compile) -pthread -o $@ $< \
		$(filter-out $(OMIT),$(MODULE_OBJECTS)) $(LINK_FLAGS) $$libs -lm
$(FAULTS_BUILD)/allocations: OMIT = %/base/mapped_blocks.o

allocations: $(FAULTS_BUILD)/allocations ## Let each allocation of many scripts fail [LUA=] [SCRIPT=name] [PART=1 OF=3]
	@PART='$(PART)' OF='$(if $(PART),$(OF))' LUA_PATH='$(LUA_PATHS);;' $< spec/faults/allocations.lua $(if $(filter command%,$(origin SCRIPT)),$(SCRIPT))

# SEEDS=3 takes three maps.
SEEDS ?= 1

callbacks: $(MODULE) ## Let functions of scripts misbehave at each of their calls [LUA=] [SEEDS=]
	@$(RUN_LUA) $(JIT) spec/faults/callbacks.lua $(SEEDS)

threads: $(FAULTS_BUILD)/threads ## Run several Lua states at once [LUA=]
	@LUA_PATH='$(LUA_PATHS);;' $< spec/faults/threads.lua spec/faults/share.lua

# Adds up the closing lines of $(1) runs in the file $(2); one that ran nothing is a failure.
sum = awk '/ passed, .* failed, .* skipped$$/ { passed += $$1; failed += $$3; skipped += $$5; runs += $$1 + $$3 + $$5 > 0 } \
	END { if (runs < $(1)) failed++; \
		printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' $(2)

# With LuaJIT its compiler is off once, too.
faults: ## All three of the above [LUA=]
	@mkdir -p $(FAULTS_BUILD); { $(MAKE) -s allocations; $(MAKE) -s callbacks; $(MAKE) -s threads; \
		$(if $(filter luajit,$(LUA)),$(MAKE) -s callbacks JIT=-joff;) } | tee $(FAULTS_BUILD)/log
	@$(call sum,$(if $(filter luajit,$(LUA)),4,3),$(FAULTS_BUILD)/log)

tsan: ## Threads on one map, and several Lua states at once, under ThreadSanitizer [LUA=]
	@$(MAKE) -s core-test SANITIZE=thread $(LIGHT) CC='$(CC)' \
		C_PROGRAMS='$(patsubst %,build/whole/core-thread/bin/%,threads shared snapshots workspace workers)' REPLAYS=
	@$(MAKE) -s threads SANITIZE=thread $(LIGHT) CC='$(CC)'

# Thirty times as slow. Specs that start programs of their own are left out, as nothing would be seen of those.
STARTERS = bench core cycles determinism examples extending install_c love/love process readme site stack
VALGRIND_SPECS ?= $(filter-out $(STARTERS:%=spec/%_spec.lua),$(SPECS))

valgrind: $(MODULE) ## Run specs under valgrind: most of an hour [LUA=] [VALGRIND_SPECS=file]
	@if command -v valgrind >/dev/null; then \
		$(MAKE) -s spec SPEC='$(VALGRIND_SPECS)' \
			WRAP='valgrind -q --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99'; \
	else echo "valgrind: not installed"; echo "0 passed, 0 failed, 1 skipped"; fi

# Specs and harnesses by a Lua 5.4 that checks how its API is used.
CHECKED = $(CURDIR)/build/checked

apicheck: ## Run specs by a Lua built with assertions (Debian: its source) [VALGRIND_SPECS=file]
	@mkdir -p build; if CC='$(CC)' sh tools/checked_lua.sh build/checked >build/checked.log 2>&1; then \
		$(MAKE) -s checked LUA=5.4; \
	else \
		tail -n 3 build/checked.log; echo "no source of Lua to be had"; \
		echo "0 passed, 0 failed, 1 skipped"; \
	fi

checked: system = $(shell $(NEED) interpreter)
checked: by_checked = INTERPRETER=$(CHECKED)/lua FAULTS_BUILD=$(BUILD)/faults/checked \
	LUA_PATHS='$(LUA_PATHS);$(shell $(system) -e "io.write(package.path)")' \
	LUA_CPATHS='$(LUA_CPATHS);$(shell $(system) -e "io.write(package.cpath)")'
checked: $(MODULE)
	@mkdir -p $(FAULTS_BUILD); export LUA_LIBS='$(CHECKED)/liblua.a -ldl'; \
	{ $(MAKE) -s spec $(by_checked) SPEC='$(VALGRIND_SPECS)'; $(MAKE) -s callbacks $(by_checked); \
		$(MAKE) -s allocations $(by_checked); } | tee $(FAULTS_BUILD)/checked.log
	@$(call sum,3,$(FAULTS_BUILD)/checked.log)

# -- Fuzzing ----------------------------------------------------------------------------

# libFuzzer, of Debian's clang and libclang-rt-14-dev, with address and undefined sanitizers, over
# the core, the Lua API and astar.load; without clang, the kept inputs alone by core-test and a spec.
# Inputs are grown by the branches they take alone: to follow every comparison as well takes three
# times as long. The oracle is only right or wrong. To compile a file at a time took most of the time of a short run.
FUZZ_NAMES = core api dump crowds graphs hexagons
FUZZ_OBJECTS = $(patsubst %,build/fuzz/obj/src/%.o,search layers $(filter-out search layers,$(CORE_FOLDERS)) binding)
FUZZ_COMPILE = clang -std=c11 -g1 -O1 -ffp-contract=off -MMD -MP -Wall -Wextra -Wpedantic \
	-Wshadow -Wconversion -Isrc $$(LUA=5.4 sh tools/need.sh headers)
FUZZ_SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_FOLLOW = -fsanitize-coverage=inline-8bit-counters,pc-table
# How many inputs in all.
RUNS ?= 1000000

fuzz: ## Fuzz with a million inputs: make fuzz [RUNS=] [SEED=]
	@sh tools/fuzz.sh
	@$(MAKE) -s $(FUZZ_NAMES:%=build/fuzz/%)
	@sh tools/fuzz.sh $(RUNS) $(FUZZ_NAMES)

fuzz-long: ## Fuzz with a hundred million inputs: hours
	@$(MAKE) fuzz RUNS=100000000

build/fuzz/obj/src/%.o: src/%
	@mkdir -p $(@D)
	@$(call compiling,$<)$(call FOLDER,$(CORE_SOURCES) $(BINDING_SOURCES)) $(FUZZ_COMPILE) $(FUZZ_SANITIZE) $(FUZZ_FOLLOW) $(FOLDER_FLAGS)

build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(call compiling,$<)$(FUZZ_COMPILE) $(FUZZ_SANITIZE) $(FUZZ_FOLLOW) -c -o $@ $<
build/fuzz/obj/spec/fuzz/oracle.o: FUZZ_FOLLOW =
build/fuzz/obj/spec/fuzz/oracle.o: FUZZ_SANITIZE =

build/fuzz/core: $(addprefix build/fuzz/obj/spec/fuzz/,core.o snapshot.o queries.o flows.o oracle.o)
build/fuzz/crowds: $(addprefix build/fuzz/obj/spec/fuzz/,crowds.o oracle.o)
build/fuzz/graphs build/fuzz/hexagons: build/fuzz/%: build/fuzz/obj/spec/fuzz/%.o
build/fuzz/api build/fuzz/dump: build/fuzz/%: $(addprefix build/fuzz/obj/spec/fuzz/,%.o state.o)
$(FUZZ_NAMES:%=build/fuzz/%): $(FUZZ_OBJECTS)
	@$(call making,ld,$@)clang $(FUZZ_SANITIZE) -fsanitize=fuzzer -o $@ $^ -llua5.4 -lm

# The inputs kept of the core's, of crowds, graphs and hexagons, run by any compiler.
CORPUS = spec/fuzz/corpus
$(CORE_BUILD)/bin/replay: $(addprefix spec/fuzz/,replay.c core.c snapshot.c queries.c flows.c oracle.c) $(LIBRARY)
	@$(call compiling,$@)$$(cat $(CORE_BUILD)/compile) -o $@ $(filter-out %.h,$^) $(LINK_FLAGS) -lm

$(CORE_BUILD)/bin/replay_crowds: $(addprefix spec/fuzz/,replay.c crowds.c oracle.c) $(LIBRARY)
	@$(call compiling,$@)$$(cat $(CORE_BUILD)/compile) -o $@ $(filter-out %.h,$^) $(LINK_FLAGS) -lm

$(CORE_BUILD)/bin/replay_graphs $(CORE_BUILD)/bin/replay_hexagons: \
	$(CORE_BUILD)/bin/replay_%: spec/fuzz/replay.c spec/fuzz/%.c $(LIBRARY)
	@$(call compiling,$@)$$(cat $(CORE_BUILD)/compile) -o $@ $(filter-out %.h,$^) $(LINK_FLAGS) -lm

-include $(wildcard build/fuzz/obj/*/*.d build/fuzz/obj/*/*/*.d)

# N edits and questions; SEED as it was printed repeats a soak.
SEED ?=

soak: $(MODULE) ## Random edits and questions against the oracle: make soak [LUA=] [N=] [SEED=]
	@$(RUN_LUA) tools/soak.lua $(or $(N),1000000) $(SEED)
