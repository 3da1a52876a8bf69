// SPDX-License-Identifier: Apache-2.0
// The memory of a library that was closed is fresh for the next one there, also when there are many: one thread has written a variable, another closes the library,
// opens it again and writes. Racy: it does not close it.
// peer-skip: libtsan does not forget what was there
// flags: -ldl
#include "tests/programs/invisible.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MANY = 600, BYTES = 1 << 20 };

static char file[BYTES], name[32];
static size_t bytes;
static void *library;
static long variable;

// The last byte of what it can write.
static int look(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int i = 0; strcmp(info->dlpi_name, name) == 0 && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_W)
            hidden_put(&variable, (long)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz - 1));
    return 0;
}

static void open_it(void) {
    MUST((library = dlopen(name, RTLD_NOW)) != NULL);
    dl_iterate_phdr(look, NULL);
}

// A copy of the library that is another file.
static void copy(void) {
    int fd = memfd_create("copy", 0);
    MUST(fd >= 0 && write(fd, file, bytes) == (ssize_t)bytes);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
}

THREAD(first) {
    *(char *)hidden_get(&variable) = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy) {
        MUST(dlclose(library) == 0);
        open_it();
    }
    *(char *)hidden_get(&variable) = 1; //@race 2 write 1
    return NULL;
}

int main(void) {
    struct link_map *map;
    void *any = dlopen("libutil.so.1", RTLD_NOW);
    MUST(any && dlinfo(any, RTLD_DI_LINKMAP, &map) == 0);
    FILE *from = fopen(map->l_name, "r");
    MUST(from && (bytes = fread(file, 1, sizeof file, from)) < sizeof file);
    fclose(from);
    for (int i = 0; i < MANY; i++) {
        copy();
        MUST(dlopen(name, RTLD_NOW) != NULL);
    }
    copy();
    open_it();
    RUN(first, second);
    return 0;
}
