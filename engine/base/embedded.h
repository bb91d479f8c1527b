/* A file compiled into the program by embed.cmake. */
#ifndef ENGINE_BASE_EMBEDDED_H
#define ENGINE_BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *path;  /* relative to its folder, '/' between parts */
    const char *bytes; /* NUL-terminated */
    size_t length;
};

#endif
