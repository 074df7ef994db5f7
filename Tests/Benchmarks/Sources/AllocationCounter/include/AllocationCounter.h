#pragma once

#include <stdint.h>

/// How many blocks of memory the calling thread has asked for since it began.
uint64_t allocation_count(void);
