/* The table behind bundled.c; its notation is described there. */
#ifndef ENGINE_PROTO_BUNDLED_H
#define ENGINE_PROTO_BUNDLED_H

#include <stddef.h>

extern const char *const bundled_messages[];
extern const size_t bundled_messages_count;
extern const char *const bundled_chrome_messages[];
extern const size_t bundled_chrome_messages_count;
extern const char *const bundled_android_messages[];
extern const size_t bundled_android_messages_count;
extern const char *const bundled_winscope_messages[];
extern const size_t bundled_winscope_messages_count;
extern const char *const bundled_config_messages[];
extern const size_t bundled_config_messages_count;

#endif
