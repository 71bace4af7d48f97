#define _GNU_SOURCE
#include "CQuietLibrary.h"

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
#define ADDRESS_OF_DATA R_X86_64_GLOB_DAT
#else
#define ADDRESS_OF_DATA R_AARCH64_GLOB_DAT
#endif

// Where `stderr` of silent libraries points to. Without functions, what is written to it is dropped, and
// it needs no descriptor.
static FILE *nowhere;

static void open_nowhere(void) {
  cookie_io_functions_t nothing = {0};
  nowhere = fopencookie(NULL, "w", nothing);
}

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

// The entry for a symbol in a library's table of addresses of data.
static void **find_entry(const struct link_map *library, const char *name) {
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  const ElfW(Rela) *entries = NULL;
  size_t size = 0;
  for (const ElfW(Dyn) *item = library->l_ld; item->d_tag != DT_NULL; item++) {
    switch (item->d_tag) {
    case DT_SYMTAB: symbols = (const void *)item->d_un.d_ptr; break;
    case DT_STRTAB: strings = (const void *)item->d_un.d_ptr; break;
    case DT_RELA: entries = (const void *)item->d_un.d_ptr; break;
    case DT_RELASZ: size = item->d_un.d_val; break;
    default: break;
    }
  }
  if (!symbols || !strings || !entries) return NULL;
  for (size_t i = 0; i < size / sizeof *entries; i++) {
    if (ELF64_R_TYPE(entries[i].r_info) != ADDRESS_OF_DATA) continue;
    const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(entries[i].r_info)];
    if (strcmp(strings + symbol->st_name, name) == 0)
      return (void **)(library->l_addr + entries[i].r_offset);
  }
  return NULL;
}

static bool silence(struct link_map *library) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_nowhere);
  Dl_info info;
  void **entry = find_entry(library, "stderr");
  if (!nowhere || !entry || !dladdr(library->l_ld, &info)) return false;
  if (*entry == &nowhere) return true;
  // Somebody else may have put something there.
  if (*entry != &stderr) return false;

  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)entry & ~(size - 1));
  bool sealed = is_sealed(info.dli_fbase, library->l_addr, entry, size);
  if (sealed && mprotect(page, size, PROT_READ | PROT_WRITE) != 0) return false;
  *entry = &nowhere;
  if (sealed) mprotect(page, size, PROT_READ);
  return true;
}

bool qlib_silence_standard_error(const char *name) {
  void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return false;
  struct link_map *library = NULL;
  bool is_silent = dlinfo(handle, RTLD_DI_LINKMAP, &library) == 0 && silence(library);
  dlclose(handle);
  return is_silent;
}

#else

bool qlib_silence_standard_error(const char *name) {
  (void)name;
  return false;
}

#endif
