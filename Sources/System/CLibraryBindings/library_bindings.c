#define _GNU_SOURCE
#include "CLibraryBindings.h"

#include <stdbool.h>
#include <stddef.h>
#ifdef __linux__
#include <features.h>
#endif

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
#define ADDRESS_ONLY R_X86_64_GLOB_DAT
#define ADDRESS_OF_CALL R_X86_64_JUMP_SLOT
#else
#define ADDRESS_ONLY R_AARCH64_GLOB_DAT
#define ADDRESS_OF_CALL R_AARCH64_JUMP_SLOT
#endif

// Whether the loader has made this address read-only after it had filled in the table.
static bool is_sealed(const char *base, const ElfW(Addr) offset, const void *address, uintptr_t page) {
  const ElfW(Ehdr) *header = (const void *)base;
  const ElfW(Phdr) *segments = (const void *)(base + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++) {
    if (segments[i].p_type != PT_GNU_RELRO) continue;
    // Whole pages only, as the loader does it.
    uintptr_t start = (offset + segments[i].p_vaddr) & ~(page - 1);
    uintptr_t end = (offset + segments[i].p_vaddr + segments[i].p_memsz) & ~(page - 1);
    if ((uintptr_t)address >= start && (uintptr_t)address < end) return true;
  }
  return false;
}

// Some of the entries in a library's table, as the loader found them described.
struct description {
  const ElfW(Rela) *entries;
  size_t size;
};

// The entry for a symbol in a library's table of addresses.
static void **find_entry(const struct link_map *library, const char *name) {
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  // What is called only is described apart, unless the library was built to have all addresses at its start.
  struct description data = {0}, calls = {0};
  for (const ElfW(Dyn) *item = library->l_ld; item->d_tag != DT_NULL; item++) {
    switch (item->d_tag) {
    case DT_SYMTAB: symbols = (const void *)item->d_un.d_ptr; break;
    case DT_STRTAB: strings = (const void *)item->d_un.d_ptr; break;
    case DT_RELA: data.entries = (const void *)item->d_un.d_ptr; break;
    case DT_RELASZ: data.size = item->d_un.d_val; break;
    case DT_JMPREL: calls.entries = (const void *)item->d_un.d_ptr; break;
    case DT_PLTRELSZ: calls.size = item->d_un.d_val; break;
    default: break;
    }
  }
  if (!symbols || !strings) return NULL;
  const struct description parts[] = {data, calls};
  for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
    const ElfW(Rela) *entries = parts[part].entries;
    for (size_t i = 0; entries && i < parts[part].size / sizeof *entries; i++) {
      const ElfW(Xword) type = ELF64_R_TYPE(entries[i].r_info);
      if (type != ADDRESS_ONLY && type != ADDRESS_OF_CALL) continue;
      const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(entries[i].r_info)];
      if (strcmp(strings + symbol->st_name, name) == 0)
        return (void **)(library->l_addr + entries[i].r_offset);
    }
  }
  return NULL;
}

// Puts an address into the library's entry for a symbol.
//
// Without `expected` whatever is there gives way: what is called may not have been looked up yet.
static bool set_entry(
  const struct link_map *library, const char *name, const void *expected, void *value
) {
  Dl_info info;
  void **entry = find_entry(library, name);
  if (!entry || !dladdr(library->l_ld, &info)) return false;
  if (*entry == value) return true;
  if (expected && *entry != expected) return false;

  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)entry & ~(size - 1));
  bool sealed = is_sealed(info.dli_fbase, library->l_addr, entry, size);
  if (sealed && mprotect(page, size, PROT_READ | PROT_WRITE) != 0) return false;
  *entry = value;
  if (sealed) mprotect(page, size, PROT_READ);
  return true;
}

// The same for the library of that name, if it is loaded.
static bool bind(const char *library, const char *name, const void *expected, void *value) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return false;
  struct link_map *map = NULL;
  bool is_bound =
    dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && set_entry(map, name, expected, value);
  dlclose(handle);
  return is_bound;
}

// Where `stderr` of silent libraries points to. Without functions, what is written to it is dropped, and
// it needs no descriptor.
static FILE *nowhere;

static void open_nowhere(void) {
  cookie_io_functions_t nothing = {0};
  nowhere = fopencookie(NULL, "w", nothing);
}

bool lbind_silence_standard_error(const char *library) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_nowhere);
  // Somebody else may have put another stream there.
  return nowhere && bind(library, "stderr", &stderr, &nowhere);
}

// On these machines the caller clears away what it passes, so any function may stand here.
static void *give_null(void) { return NULL; }

bool lbind_skip_function(const char *library, const char *function) {
  return bind(library, function, NULL, (void *)give_null);
}

#else

bool lbind_silence_standard_error(const char *library) {
  (void)library;
  return false;
}

bool lbind_skip_function(const char *library, const char *function) {
  (void)library;
  (void)function;
  return false;
}

#endif
