// Stands in for the functions of the C library that give memory, and counts the calls of each thread and the blocks that
// are there. glibc lets a program replace them all ("Replacing malloc" in its manual), and keeps its own under other names.
#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static __thread uint64_t count;
static _Atomic int64_t live;

uint64_t allocation_count(void) { return count; }

int64_t allocation_live(void) { return live; }

static void *counted(void *block) {
  count++;
  if (block) live++;
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t elements, size_t size) { return counted(__libc_calloc(elements, size)); }

void *realloc(void *block, size_t size) {
  if (block) live--;
  return counted(__libc_realloc(block, size));
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

void free(void *block) {
  if (block) live--;
  __libc_free(block);
}
