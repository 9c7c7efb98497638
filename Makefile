# Every target does all of its own set-up. `make` alone says what there is.
# The work is done by the scripts in .ci; this file says which of them in which order.

# The main job: what `make run` runs, once everything is built. One command a line.
define RUN
$(STANCE) run config/compass.yaml --out out/compass
@echo 'The pictures are out/compass/*.svg: strip.svg shows two steps. To look at the walk: $(STANCE) view out/compass. More walkers: config/README.md'
endef

# COMPILER=clang++ builds with another compiler, in a folder of its own. JOBS=N limits the build,
# SETUP=no leaves the system packages alone.
COMPILER ?=
DIR := $(if $(COMPILER),.variant/$(notdir $(COMPILER)))
export COMPILER DIR JOBS SETUP

STANCE := $(if $(DIR),$(DIR)/)install/stance_cli/bin/stance
SETUP_GROUPS := base $(if $(findstring clang,$(COMPILER)),clang)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS -O1

.PHONY: help run build test bench bench-instructions lint sanitize mutants clean
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

help:
	@echo 'make run                 set up, build, and run the main job'
	@echo 'make test                set up, build, and run every test'
	@echo 'make build               set up and build'
	@echo 'make bench               time the algorithms beside other libraries'
	@echo 'make bench-instructions  count instructions per call (callgrind)'
	@echo 'make lint                clang-format, clang-tidy, shellcheck'
	@echo 'make sanitize            every test under the address and undefined-behaviour sanitizers'
	@echo 'make mutants             plant faults in the core, and see that its tests catch them'
	@echo 'make clean               remove build, install, log and .variant'
	@echo 'Options: COMPILER=clang++  JOBS=N  SETUP=no (install no system packages)'

run:
	@.ci/setup.sh $(SETUP_GROUPS)
	@.ci/build.sh -DBUILD_TESTING=OFF
	@echo '==> run: the main job'
	$(RUN)

build:
	@.ci/setup.sh $(SETUP_GROUPS)
	@.ci/build.sh -DBUILD_TESTING=OFF

test:
	@.ci/setup.sh $(SETUP_GROUPS)
	@.ci/build.sh -DBUILD_TESTING=ON
	@.ci/test.sh

lint:
	@.ci/setup.sh $(SETUP_GROUPS) lint
	@.ci/build.sh -DBUILD_TESTING=ON
	@.ci/lint.sh

# In a folder of its own, so that the comparison libraries stay out of the normal build.
bench bench-instructions: export DIR := .variant/bench$(if $(COMPILER),-$(notdir $(COMPILER)))
bench:
	@.ci/setup.sh $(SETUP_GROUPS) bench
	@.ci/build.sh -DBUILD_TESTING=OFF -DSTANCE_BUILD_BENCHMARKS=ON
	@.ci/bench.sh

bench-instructions:
	@.ci/setup.sh $(SETUP_GROUPS) bench
	@.ci/build.sh -DBUILD_TESTING=OFF -DSTANCE_BUILD_BENCHMARKS=ON
	@.ci/instructions.sh

# Lines are all that a sanitizer tells: g++ would take ten minutes a kernel to follow its variables.
sanitize: export DIR := .variant/sanitize
sanitize: export BUILD_TYPE := Debug
sanitize:
	@.ci/setup.sh $(SETUP_GROUPS)
	@.ci/build.sh -DBUILD_TESTING=ON -DCMAKE_CXX_FLAGS_DEBUG=-g1 '-DCMAKE_CXX_FLAGS=$(SANITIZE)'
	@.ci/test.sh

# FAULT='restore clamped' plants only the faults whose names contain one of the words.
mutants: export DIR := .variant/mutants
mutants:
	@.ci/setup.sh $(SETUP_GROUPS)
	@.ci/mutants.sh $(FAULT)

clean:
	rm -rf build install log .variant
