# SPDX-License-Identifier: Apache-2.0
#
# Builds one benchmark with one compiler, as NAME.plain, NAME.libtsan and NAME.ours; the last two are linked
# from the same object files.  Called by bench/run, from the root of the sources, with
#   CC    the compiler          KIND  gcc or clang: how it links a runtime
#   OUT   where to build        NAME  of the program        SRC   its sources, below DIR
#   DIR   root of the sources   DEFS  -D and -I options     LIBS  -l options
#   RECIPE  a file that is newer than the objects if compiler or options are not what made them
#   OURS  our libtsan.so.2, an absolute path; empty: NAME.ours is not built
#   INLINE  not empty: also NAME.inline, from objects of its own, as `goldilocks cc --inline` builds them
#   CALLS   not empty: also NAME.calls, with a runtime that does nothing (calls.c)

# Dense vectors are a hole in clang's instrumentation, so every variant goes without them: see README.md.
FLAGS_clang = -fno-vectorize -fno-slp-vectorize
FLAGS = -O2 -g $(FLAGS_$(KIND))

# What `goldilocks cc --inline` adds for this clang.
ROWS = $(if $(INLINE),$(wildcard $(dir $(OURS))rows-$(shell $(CC) -dumpversion | cut -d. -f1).so))

OBJ = $(SRC:.c=.o)
PLAIN = $(addprefix $(OUT)/$(NAME).d/plain/,$(OBJ))
TSAN = $(addprefix $(OUT)/$(NAME).d/tsan/,$(OBJ))
INLINED = $(addprefix $(OUT)/$(NAME).d/inline/,$(OBJ))

all: $(OUT)/$(NAME).plain $(OUT)/$(NAME).libtsan $(if $(OURS),$(OUT)/$(NAME).ours) $(if $(INLINE),$(OUT)/$(NAME).inline) \
    $(if $(CALLS),$(OUT)/$(NAME).calls)

$(OUT)/$(NAME).d/plain/%.o: $(DIR)/%.c bench/build.mk $(RECIPE)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(DEFS) -MMD -MP -c $< -o $@

$(OUT)/$(NAME).d/tsan/%.o: $(DIR)/%.c bench/build.mk $(RECIPE)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -fsanitize=thread $(DEFS) -MMD -MP -c $< -o $@

$(OUT)/$(NAME).plain: $(PLAIN)
	$(CC) -pthread $^ $(LIBS) -o $@

$(OUT)/$(NAME).libtsan: $(TSAN)
	$(CC) -fsanitize=thread -pthread $^ $(LIBS) -o $@

$(OUT)/$(NAME).calls: $(TSAN) bench/calls.c
	$(CC) -O2 -pthread $^ $(LIBS) -o $@

# Both runtimes come the way that the compiler itself takes: gcc's as a library, clang's inside the program.
#
# gcc's program asks for libtsan.so.2 by name and takes whichever the loader finds: the very same file
# serves both tools.  clang's has its runtime inside, so ours needs a link of its own.
ifeq ($(KIND),gcc)
$(OUT)/$(NAME).ours: $(OUT)/$(NAME).libtsan
	ln -f $< $@
else
$(OUT)/$(NAME).ours: $(TSAN) $(dir $(OURS))libgoldilocks_rt.a
	$(CC) -fsanitize=thread -fno-sanitize-link-runtime -pthread $^ $(LIBS) -Wl,--export-dynamic -o $@
endif

ifeq ($(KIND),gcc)
$(OUT)/$(NAME).d/inline/%.o: $(DIR)/%.c bench/build.mk $(RECIPE) $(dir $(OURS))inline.s
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -fsanitize=thread -Xassembler $(dir $(OURS))inline.s $(DEFS) -MMD -MP -c $< -o $@

$(OUT)/$(NAME).inline: $(INLINED) $(OURS)
	$(CC) -fsanitize=thread -pthread $(INLINED) $(LIBS) -L$(dir $(OURS)) -o $@
else
$(OUT)/$(NAME).d/inline/%.o: $(DIR)/%.c bench/build.mk $(RECIPE) $(dir $(OURS))inline.h $(ROWS)
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -fsanitize=thread -flto=thin -include $(dir $(OURS))inline.h $(addprefix -fpass-plugin=,$(ROWS)) $(DEFS) -MMD -MP -c $< -o $@

$(OUT)/$(NAME).inline: $(INLINED) $(dir $(OURS))libgoldilocks_rt.a
	$(CC) -O2 -flto=thin -fsanitize=thread -fno-sanitize-link-runtime -pthread $^ $(LIBS) \
	    -Wl,-plugin-opt=-inline-threshold=-1000000 -Wl,--export-dynamic -o $@
endif

-include $(PLAIN:.o=.d) $(TSAN:.o=.d) $(INLINED:.o=.d)
