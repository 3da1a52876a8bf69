/* SPDX-License-Identifier: Apache-2.0 */
#include "symbol/section.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

static bool inside(struct gl_bytes f, uint64_t offset, uint64_t n)
{
    return offset <= f.size && n <= f.size - offset;
}

static bool section(struct gl_bytes f, const Elf64_Ehdr *head, unsigned index, Elf64_Shdr *out)
{
    uint64_t at = head->e_shoff + (uint64_t)index * sizeof *out;
    if (at < head->e_shoff || !inside(f, at, sizeof *out))
        return false;
    memcpy(out, f.bytes + at, sizeof *out);
    return true;
}

/* Whether the string at `offset` of a table of names is `name`. */
static bool is_named(struct gl_bytes f, const Elf64_Shdr *names, uint64_t offset, const char *name)
{
    size_t n = strlen(name) + 1;
    return offset <= names->sh_size && n <= names->sh_size - offset && inside(f, names->sh_offset, names->sh_size) &&
           memcmp(f.bytes + names->sh_offset + offset, name, n) == 0;
}

bool gl_section(struct gl_bytes f, const char *name, struct gl_bytes *out)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, s;
    if (!inside(f, 0, sizeof head))
        return false;
    memcpy(&head, f.bytes, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof s ||
        !section(f, &head, head.e_shstrndx, &names))
        return false;
    for (unsigned i = 0; i < head.e_shnum && section(f, &head, i, &s); i++)
        if (is_named(f, &names, s.sh_name, name)) {
            if ((s.sh_flags & SHF_COMPRESSED) || s.sh_type == SHT_NOBITS || !inside(f, s.sh_offset, s.sh_size))
                return false;
            *out = (struct gl_bytes){f.bytes + s.sh_offset, s.sh_size};
            return true;
        }
    return false;
}
