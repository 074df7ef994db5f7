#pragma once

#include <stdint.h>

/// How many blocks of memory the calling thread has asked for since it began.
uint64_t allocation_count(void);

/// How many blocks the program has now.
int64_t allocation_live(void);
