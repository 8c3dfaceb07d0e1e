/*
 * What the plugins of these tests share, except for the frozen ones: texts, errors, and all of a plugin with one agent but its functions
 * create, new_game and choose_move.
 */
#include "agent2048.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(literal) {(literal), sizeof(literal) - 1}

static int32_t fail(agent2048_text *error, int32_t status, const char *message) {
    const uint64_t len = strlen(message);
    error->len = len < error->capacity ? len : error->capacity;
    memcpy(error->data, message, (size_t)error->len);
    return status;
}

static void destroy(agent2048_agent *agent) { free(agent); }

/* The descriptor, given as its fields except for the size, and the table; EXTENSIONS is get_extension or NULL. */
#define PLUGIN(EXTENSIONS, ...)                                                                                        \
    static const agent2048_descriptor *descriptor(uint32_t index) {                                                    \
        static const agent2048_descriptor described = {.struct_size = sizeof(agent2048_descriptor), __VA_ARGS__};      \
        return index == 0 ? &described : NULL;                                                                         \
    }                                                                                                                  \
                                                                                                                       \
    const agent2048_plugin *agent2048_plugin_v1(void) {                                                                \
        static const agent2048_plugin table = {                                                                        \
            .magic = AGENT2048_MAGIC,                                                                                  \
            .abi_major = AGENT2048_ABI_MAJOR,                                                                          \
            .abi_minor = AGENT2048_ABI_MINOR,                                                                          \
            .struct_size = sizeof(agent2048_plugin),                                                                   \
            .agent_count = 1,                                                                                          \
            .descriptor = descriptor,                                                                                  \
            .create = create,                                                                                          \
            .new_game = new_game,                                                                                      \
            .choose_move = choose_move,                                                                                \
            .destroy = destroy,                                                                                        \
            .get_extension = EXTENSIONS,                                                                               \
        };                                                                                                             \
        return &table;                                                                                                 \
    }                                                                                                                  \
    typedef int plugin_is_complete
