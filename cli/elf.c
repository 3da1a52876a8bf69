/* SPDX-License-Identifier: Apache-2.0
 *
 * A reader of just enough ELF to see how a program was built: its needed libraries and whether it
 * calls or contains ThreadSanitizer's functions.  Tables are copied out entry by entry, because a
 * hostile file may place them unaligned.
 */
#define _GNU_SOURCE
#include "cli/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"

struct file {
    const char *bytes;
    uint64_t size;
};

static bool inside(const struct file *f, uint64_t offset, uint64_t length)
{
    return offset <= f->size && length <= f->size - offset;
}

/* Copies entry `index` of a table of `size`-byte entries; false: not in the file. */
static bool entry(const struct file *f, uint64_t table, uint64_t index, uint64_t size, void *out)
{
    uint64_t offset;
    if (__builtin_mul_overflow(index, size, &offset) || __builtin_add_overflow(offset, table, &offset))
        return false;
    if (!inside(f, offset, size)) return false;
    memcpy(out, f->bytes + offset, size);
    return true;
}

/* The string at table+offset if it ends inside the table, else "". */
static const char *string_at(const struct file *f, uint64_t table, uint64_t table_size, uint64_t offset)
{
    if (!inside(f, table, table_size) || offset >= table_size) return "";
    const char *s = f->bytes + table + offset;
    return memchr(s, 0, table_size - offset) ? s : "";
}

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static void read_symbols(const struct file *f, const Elf64_Ehdr *head, struct gl_program *out)
{
    for (unsigned i = 0; i < head->e_shnum; i++) {
        Elf64_Shdr s, names;
        if (!entry(f, head->e_shoff, i, sizeof s, &s)) return;
        if (s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM) continue;
        if (s.sh_link >= head->e_shnum || !entry(f, head->e_shoff, s.sh_link, sizeof names, &names)) continue;
        if (!inside(f, s.sh_offset, s.sh_size)) continue;
        for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Sym); k++) {
            Elf64_Sym symbol;
            if (!entry(f, s.sh_offset, k, sizeof symbol, &symbol)) break;
            const char *name = string_at(f, names.sh_offset, names.sh_size, symbol.st_name);
            if (symbol.st_shndx != SHN_UNDEF && strcmp(name, "goldilocks_set_race_handler") == 0) out->has_ours = true;
            if (!starts_with(name, "__tsan_")) continue;
            out->calls_tsan = true;
            /* Other __tsan_ names (__tsan_default_options, ...) may be the program's own. */
            if (symbol.st_shndx != SHN_UNDEF && strcmp(name, "__tsan_init") == 0) out->has_runtime = true;
        }
    }
}

/* Where in the file the bytes of a virtual address lie; UINT64_MAX: nowhere. */
static uint64_t file_offset(const struct file *f, const Elf64_Ehdr *head, uint64_t address)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr p;
        if (!entry(f, head->e_phoff, i, sizeof p, &p)) break;
        if (p.p_type == PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
            return p.p_offset + (address - p.p_vaddr); /* may wrap; inside() decides */
    }
    return UINT64_MAX;
}

static void note_needed(const char *name, struct gl_program *out)
{
    if (strcmp(name, GL_RUNTIME_NAME) == 0 || strcmp(name, GL_RUNTIME_OLDER_NAME) == 0)
        out->needs_ours = true;
    else if (starts_with(name, "libc.so."))
        out->libc_first = !out->needs_ours;
    else if (starts_with(name, "libtsan.so") || starts_with(name, "libclang_rt.tsan"))
        strncpy(out->needs_other, name, sizeof out->needs_other - 1);
}

static void read_dynamic(const struct file *f, const Elf64_Ehdr *head, const Elf64_Phdr *segment,
                         struct gl_program *out)
{
    uint64_t strings = UINT64_MAX, strings_size = 0, count = segment->p_filesz / sizeof(Elf64_Dyn);
    Elf64_Dyn d;
    for (uint64_t i = 0; i < count && entry(f, segment->p_offset, i, sizeof d, &d) && d.d_tag != DT_NULL;
         i++) {
        if (d.d_tag == DT_STRTAB) strings = file_offset(f, head, d.d_un.d_ptr);
        if (d.d_tag == DT_STRSZ) strings_size = d.d_un.d_val;
        if (d.d_tag == DT_RPATH) out->has_rpath = true;
    }
    for (uint64_t i = 0; i < count && entry(f, segment->p_offset, i, sizeof d, &d) && d.d_tag != DT_NULL; i++)
        if (d.d_tag == DT_NEEDED) note_needed(string_at(f, strings, strings_size, d.d_un.d_val), out);
}

static void read_elf(const struct file *f, struct gl_program *out)
{
    Elf64_Ehdr head;
    if (!entry(f, 0, 0, sizeof head, &head)) return;
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB) return;
    if (head.e_phentsize != sizeof(Elf64_Phdr)) return;
    out->kind = GL_FILE_ELF;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr p;
        if (!entry(f, head.e_phoff, i, sizeof p, &p)) break;
        if (p.p_type == PT_DYNAMIC) read_dynamic(f, &head, &p, out);
    }
    if (head.e_shentsize == sizeof(Elf64_Shdr)) read_symbols(f, &head, out);
    /* A stripped program has no names left, but the runtime's own messages are still in it. */
    static const char message[] = "ThreadSanitizer: ";
    if (!out->needs_ours && !out->needs_other[0] && !out->has_runtime &&
        memmem(f->bytes, f->size, message, sizeof message - 1) &&
        memmem(f->bytes, f->size, "TSAN_OPTIONS", 12))
        out->calls_tsan = out->has_runtime = true;
    if (memmem(f->bytes, f->size, "GOLDILOCKS_OPTIONS", 18)) out->has_ours = true;
    out->has_ours = out->has_ours && out->has_runtime;
}

void gl_program_read(const char *path, struct gl_program *out)
{
    *out = (struct gl_program){.kind = GL_FILE_UNREADABLE};
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &st) != 0) {
        close(fd);
        return;
    }
    out->kind = GL_FILE_OTHER;
    void *map = st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (map == MAP_FAILED) return;
    struct file f = {map, (uint64_t)st.st_size};
    if (f.size >= 2 && memcmp(f.bytes, "#!", 2) == 0)
        out->kind = GL_FILE_SCRIPT;
    else if (f.size >= SELFMAG && memcmp(f.bytes, ELFMAG, SELFMAG) == 0)
        read_elf(&f, out);
    munmap(map, f.size);
}
